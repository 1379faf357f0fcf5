import { Readable } from 'node:stream'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'

export type GeneratedType = 'txt' | 'csv' | 'json' | 'md'

const syllables = 'ka ri no sta len mor vi tur ola pen dra shi cor mu elt fa bri zon ne gu'.split(' ')
const vocabularySize = 5_000
const poolSize = 2_000
const pieceCharacters = 64 * 1024

/** Returns sentences in which few words are frequent and many are rare, as in any language. */
const sentencePool = (random: Random): readonly string[] => {
  const vocabulary = Array.from({ length: vocabularySize }, () =>
    Array.from({ length: 1 + random.below(4) }, () => random.pick(syllables)).join(''),
  )
  const word = () => vocabulary[random.below(1 + random.below(vocabularySize))] as string
  return Array.from({ length: poolSize }, () => {
    const text = Array.from({ length: 8 + random.below(14) }, word).join(' ')
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  })
}

type Form = {
  readonly begin: string
  /** Returns the part with this number, counted from 0. */
  readonly part: (number: number, say: (sentences: number) => string) => string
  readonly end: string
}

const forms: Readonly<Record<GeneratedType, Form>> = {
  txt: { begin: '', part: (number, say) => `Paragraph ${number}. ${say(5)}\n\n`, end: '' },
  csv: {
    begin: 'id,name,remark,amount\n',
    part: (number, say) => `${number},Stone ${number},"${say(2)}",${number % 997}.5\n`,
    end: '',
  },
  json: {
    begin: '[',
    part: (number, say) =>
      `${number === 0 ? '' : ',\n'}${JSON.stringify({ id: number, remark: say(2), detail: { place: `stone ${number}`, open: number % 2 === 0 } })}`,
    end: ']',
  },
  md: {
    begin: '',
    part: (number, say) =>
      `${number % 8 === 0 ? `## Stone ${number}\n\n` : ''}${say(4)}\n\n- ${say(1)}\n- ${say(1)}\n\n`,
    end: '',
  },
}

function* pieces(type: GeneratedType, sizeBytes: number): Generator<Buffer> {
  const random = seededRandom(1)
  const pool = sentencePool(random)
  const { begin, part, end } = forms[type]
  const say = (sentences: number) => Array.from({ length: sentences }, () => random.pick(pool)).join(' ')
  let piece = begin
  let left = sizeBytes - begin.length - end.length
  for (let number = 0; ; number += 1) {
    const text = part(number, say)
    if (text.length > left) break
    piece += text
    left -= text.length
    if (piece.length < pieceCharacters) continue
    yield Buffer.from(piece, 'latin1')
    piece = ''
  }
  // Line breaks are not text in any of the types.
  yield Buffer.from(piece + end + '\n'.repeat(left), 'latin1')
}

/**
 * Creates a file of exactly this size while it is read: plain words with hardly any repetition, deterministic for a
 * type and size.
 */
export const generatedFile = (type: GeneratedType, sizeBytes: number): Readable =>
  Readable.from(pieces(type, sizeBytes), { objectMode: false })
