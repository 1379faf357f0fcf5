import { seededRandom } from '../seeded-random.ts'
import { encodeAs, encodings } from './encodings.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator } from './sentences.ts'

/** Creates paragraphs in one of the encodings, in languages whose letters the encoding has. */
export const createText: CreateMaterial = async (
  seed,
  { sentences: requestedCount, encoding: requestedEncoding } = {},
) => {
  const random = seededRandom(seed)
  const { sentence } = createSentenceGenerator(random)
  const encoding = random.pick(
    requestedEncoding === undefined ? encodings : encodings.filter(({ name }) => name === requestedEncoding),
  )
  const end = random.pick(['\n', '\r\n'])
  const knownSentences: KnownSentence[] = []
  const paragraphs: string[] = []
  const count = requestedCount ?? 20 + random.below(40)
  while (knownSentences.length < count) {
    const language = random.pick(encoding.languages)
    const sentences = Array.from({ length: Math.min(1 + random.below(4), count - knownSentences.length) }, () =>
      sentence(language),
    )
    knownSentences.push(...sentences.map((text) => ({ text, headings: [] })))
    paragraphs.push(sentences.join(random.pick([' ', end])))
  }
  return {
    bytes: encodeAs(paragraphs.join(end + end) + end, encoding),
    truth: { sentences: knownSentences, encoding: encoding.name },
  }
}
