import { seededRandom } from '../seeded-random.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator } from './sentences.ts'

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * Creates an array of records, one object, or one record per line, with nested values, keys that need escaping, and
 * text in many scripts.
 */
export const createJson: CreateMaterial = async (seed, { sentences: requestedCount } = {}) => {
  const random = seededRandom(seed)
  const { sentence, name } = createSentenceGenerator(random)
  const knownSentences: KnownSentence[] = []
  const count = requestedCount ?? 20 + random.below(40)
  const record = (path: string) => {
    const text = sentence(
      random.chance(0.3) ? random.pick(['arabic', 'japanese', 'chinese', 'russian', 'greek']) : 'english',
    )
    knownSentences.push({ text, path, headings: [] })
    if (random.chance(0.3))
      return { name: name(), detail: { remark: text, tags: [name(), name()] }, open: random.chance(0.5), none: null }
    return { name: name(), remark: text, amount: random.below(10_000) / 10 }
  }
  const indent = random.pick([undefined, 2])
  const form = random.pick(['array', 'object', 'lines'] as const)
  let content: string
  if (form === 'object') {
    const members = Array.from({ length: count }, () => name() + random.pick(['', '/x', '~y', ' z', '.w']))
    content = JSON.stringify(
      Object.fromEntries(members.map((key) => [key, record(`/${escapePointer(key)}`)])),
      undefined,
      indent,
    )
  } else {
    const records = Array.from({ length: count }, (_, index) => record(`/${index}`))
    content =
      form === 'array'
        ? JSON.stringify(records, undefined, indent)
        : records.map((value) => JSON.stringify(value)).join('\n')
  }
  const bytes = Buffer.from(random.chance(0.5) ? `${content}\n` : content)
  return { bytes, truth: { sentences: knownSentences, encoding: 'utf-8' } }
}
