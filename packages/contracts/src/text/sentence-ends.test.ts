import { expect, it } from 'vitest'
import { sentencesOf } from './sentence-ends.ts'

const sentences = (text: string) => Array.from(sentencesOf(text), ({ segment }) => segment.trim())

it.each([
  'The U.S. Senate met on Monday.',
  'Robert B. Smith came.',
  'Charles Diggs Jr. Resigned from it.',
  'Mr. J. R. Hughes said it.',
  'No. 10 is near St. Petersburg, e.g. by bus, with approx. 5 kg.',
  'The Acme Co. Ltd. Works are closed.',
  'See Fig. 3 and Vol. 12, pp. 5–7.',
  'Am 8. Februar kam er, im 19. Jahrhundert.',
  'Ludwig I. König von Bayern.',
  'Nach § 5 Abs. 2 Nr. 3 BGB, z. B. Brot, d. h. Essen.',
  'El Sr. Pérez viajó a EE. UU. con la Sra. López.',
  'M. Dupont est avec Mme. Durand.',
  'Dne 3. května přišel.',
  '1. Open the lid.',
  'Dr. A. B. Cole, Ph.D. Emeritus.',
  'It was founded by the Rev. T. A. Wilmot.',
  'La fundó la Dra. Pilar Echagüe con Mateo Ll. Ferrer.',
])('does not cut %s', (sentence) => {
  expect(sentences(`${sentence} Then it rained.`)).toEqual([sentence, 'Then it rained.'])
})

it.each([
  [['He lives in the U.S.', 'The Senate met.']],
  [['It was made by Acme Inc.', 'It is old.']],
  [['There were 12.', 'Nobody left.']],
  [['It ended in World War II.', 'The town grew.']],
  [['Es waren 19.', 'Danach kam Regen.']],
  [['Is it open?', 'Mr. Hughes knows.']],
  [['港口九点关闭。', '船只一点。']],
  [['He was hot.', '(10) Many came.']],
])('cuts %j', (parts) => {
  const text = parts.join(parts[0]?.endsWith('。') ? '' : ' ')
  expect(sentences(text)).toEqual(parts)
})

it('cuts at line ends, and loses nothing', () => {
  const text = 'Built by J.\nIt is old. \n\n  Mr.\tA. B.'
  expect(Array.from(sentencesOf(text), ({ segment }) => segment).join('')).toBe(text)
  expect(sentences(text)).toEqual(['Built by J.', 'It is old.', '', 'Mr.\tA. B.'])
})

it('takes no time for many initials', () => {
  const started = process.cpuUsage().user
  expect(sentences('J. '.repeat(100_000))).toHaveLength(1)
  expect(process.cpuUsage().user - started).toBeLessThan(3_000_000)
})
