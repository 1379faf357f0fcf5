import { seededRandom } from '../seeded-random.ts'
import { encodeAs, encodings } from './encodings.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator } from './sentences.ts'

/**
 * Creates a table with a header, in which some fields contain delimiters, quotes or line ends. The seed chooses the
 * delimiter and, unless it is requested, the encoding.
 */
export const createCsv: CreateMaterial = async (
  seed,
  { sentences: requestedCount, encoding: requestedEncoding } = {},
) => {
  const random = seededRandom(seed)
  const { sentence, name } = createSentenceGenerator(random)
  const encoding = random.pick(
    requestedEncoding === undefined ? encodings : encodings.filter(({ name }) => name === requestedEncoding),
  )
  const delimiter = random.pick([',', ';', '\t', '|'])
  const end = random.pick(['\n', '\r\n'])
  const quoted = (text: string) =>
    /["\r\n]/.test(text) || text.includes(delimiter) || random.chance(0.2) ? `"${text.replaceAll('"', '""')}"` : text
  const count = requestedCount ?? 20 + random.below(40)
  const knownSentences: KnownSentence[] = []
  const lines = [['id', 'name', 'remark', 'amount']]
  for (let row = 2; row < count + 2; row++) {
    const text = sentence(random.pick(encoding.languages))
    knownSentences.push({ text, row, headings: [] })
    const remark = random.chance(0.2)
      ? `"${name()}", ${delimiter} ${text}`
      : random.chance(0.1)
        ? `${name()}\n${text}`
        : text
    lines.push([String(row), name(), remark, `${random.below(1_000)}.${random.below(10)}`])
  }
  const content = lines.map((fields) => fields.map(quoted).join(delimiter)).join(end)
  return {
    bytes: encodeAs(random.chance(0.8) ? content + end : content, encoding),
    truth: { sentences: knownSentences, encoding: encoding.name, delimiter },
  }
}
