import { fileURLToPath } from 'node:url'
import { operations } from '@cairn/contracts/api/operations'
import { atOnce } from '@cairn/contracts/flow/at-once'
import type { Client } from '../client.ts'
import { linesOf, type Query, sentQuery } from './test-set.ts'

/** Returns a text without case and without signs at the ends of its words. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}%°]+/gu, ' ')
    .trim()

/** Whether the quoted text has the words of one of the reference's answers, in their order. */
export const hasAnswer = (quoted: string, answers: readonly string[]): boolean =>
  answers.some((answer) => ` ${plain(quoted)} `.includes(` ${plain(answer)} `))

const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${whole === 0 ? '0' : (part / whole).toFixed(3)})`

/**
 * Asks the questions of a collection, and everyday questions that it can't answer. Returns a line that says how many of
 * the first were answered, and with the words of the reference, and how many of the others were refused.
 */
export const measureAnswers = async (api: Client, namespace: string, queries: readonly Query[]) => {
  const ask = async (query: string) => {
    const body = { query: sentQuery(query), namespace }
    return (await api.call(operations.answer, { body }, 200)).body
  }
  const questions = queries.filter(({ answers }) => answers !== undefined)
  const own = await atOnce(1, questions, async ({ text, answers = [] }) => {
    const { answered, answer } = await ask(text)
    return { answered, isRight: answered && hasAnswer(answer, answers) }
  })
  const everyday = await atOnce(1, linesOf(fileURLToPath(new URL('./everyday-questions.txt', import.meta.url))), ask)
  const answered = own.filter((one) => one.answered).length
  const right = own.filter(({ isRight }) => isRight).length
  const refused = everyday.filter((one) => !one.answered).length
  const figures = { questions: own.length, answered, right, everyday: everyday.length, refused }
  const line = `  answers   answered ${share(answered, own.length)}  with the answer of the reference ${share(right, own.length)}  everyday questions refused ${share(refused, everyday.length)}`
  return { figures, line }
}
