import { seededRandom } from '../seeded-random.ts'
import { encodeAs, encodings } from './encodings.ts'
import type { Make, Told } from './material.ts'
import { sentenceMaker } from './sentences.ts'

/** Paragraphs in one of the encodings, in languages it has letters for. */
export const makeText: Make = async (seed, { sentences: wanted, encoding: asked } = {}) => {
  const random = seededRandom(seed)
  const { sentence } = sentenceMaker(random)
  const encoding = random.pick(asked === undefined ? encodings : encodings.filter(({ name }) => name === asked))
  const end = random.pick(['\n', '\r\n'])
  const told: Told[] = []
  const paragraphs: string[] = []
  const count = wanted ?? 20 + random.below(40)
  while (told.length < count) {
    const language = random.pick(encoding.languages)
    const sentences = Array.from({ length: Math.min(1 + random.below(4), count - told.length) }, () =>
      sentence(language),
    )
    told.push(...sentences.map((text) => ({ text, headings: [] })))
    paragraphs.push(sentences.join(random.pick([' ', end])))
  }
  return {
    bytes: encodeAs(paragraphs.join(end + end) + end, encoding),
    truth: { sentences: told, encoding: encoding.name },
  }
}
