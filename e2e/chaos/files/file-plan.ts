import { type FileType, fileTypes } from '@cairn/contracts/files/file-rules'
import { createMaterial } from '@cairn/testing/material/create-material'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'

/** Types of large files. Large files of other types would repeat the names in them. */
const largeTypes: ReadonlySet<FileType> = new Set(['txt', 'md'])
/** Number of sentences in a large file; a chunk has about twenty. */
const largeSentences = 6_000
const smallSentences = 40
const largeEvery = 5
const faultyEvery = 23
/** Maximum number of scanned files in a plan, because reading one takes as long as reading ten other files. */
const maxScans = 2

export type Content =
  | { readonly is: 'sound'; readonly seed: number; readonly sentences: number; readonly scans: 'none' | 'all' }
  | { readonly is: 'empty' | 'damaged' }

/** Operation on a file after its upload. */
export type Ending = 'nothing' | 'other bytes' | 'same bytes' | 'deleted' | 'deleted and brought again'

export type PlannedFile = {
  /** Number of the file's account. */
  readonly account: number
  readonly name: string
  readonly type: FileType
  readonly way: 'form' | 'address'
  readonly content: Content
  readonly ending: Ending
  /** Pause between the upload and the operation, in milliseconds. */
  readonly pauseMs: number
  /** Content of a later upload with other bytes. */
  readonly later: Content
}

export type Brought = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** A sentence that only this file contains; undefined for an unreadable file. */
  readonly sentence?: string
}

const endingOf = (random: Random): Ending => {
  const drawn = random.next()
  if (drawn < 0.14) return 'other bytes'
  if (drawn < 0.24) return 'same bytes'
  if (drawn < 0.32) return 'deleted'
  return drawn < 0.4 ? 'deleted and brought again' : 'nothing'
}

/**
 * Returns `count` files of every type and size, each with its kind of upload and a later operation. The same seed gives
 * the same plan.
 */
export const planFiles = (seed: number, count: number, accounts: number): PlannedFile[] => {
  const random = seededRandom(seed)
  const small = (): Content => ({
    is: 'sound',
    seed: random.below(2 ** 31),
    sentences: 5 + random.below(smallSentences),
    scans: 'none',
  })
  let scans = 0
  return Array.from({ length: count }, (_, index): PlannedFile => {
    const type = fileTypes[index % fileTypes.length] ?? 'txt'
    const content = (): Content => {
      if (index % faultyEvery === faultyEvery - 1) return { is: type === 'json' ? 'damaged' : 'empty' }
      if (index % largeEvery === 4 && largeTypes.has(type))
        return { is: 'sound', seed: random.below(2 ** 31), sentences: largeSentences, scans: 'none' }
      if (type !== 'pdf' || scans >= maxScans || index === 0) return small()
      scans += 1
      return { is: 'sound', seed: random.below(2 ** 31), sentences: 4, scans: 'all' }
    }
    return {
      account: index % accounts,
      name: `folder-${index % 3}/file-${index}.${type}`,
      type,
      way: random.chance(0.5) ? 'form' : 'address',
      content: content(),
      ending: endingOf(random),
      pauseMs: random.below(8_000),
      later: small(),
    }
  })
}

/** Matches sentences that search finds by their words: in Latin script and on one line. */
const findable = /^[A-Z][\w ,'-]{20,200}[.]$/

/** Creates the bytes of a content on demand. */
export const bring = async (type: FileType, content: Content): Promise<Brought> => {
  if (content.is === 'empty') return { bytes: new Uint8Array(0) }
  if (content.is !== 'sound') return { bytes: new TextEncoder().encode('{"a": [1, 2') }
  const { seed, sentences, scans } = content
  const { bytes, truth } = await createMaterial(type, seed, { sentences, encoding: 'utf-8', scans })
  const suitable = truth.sentences.filter(({ text, inTable }) => findable.test(text) && !inTable)
  const { text } = suitable[seed % suitable.length] ?? truth.sentences[0] ?? { text: '' }
  return { bytes: Uint8Array.from(bytes), sentence: text }
}
