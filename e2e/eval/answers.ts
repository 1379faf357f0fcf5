import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atOnce } from '@cairn/contracts/at-once'
import { limits } from '@cairn/contracts/limits'
import { operations } from '@cairn/contracts/operations'
import type { Client } from '../client.ts'

/** A question with the answers of a reference. */
type Answerable = { readonly text: string; readonly answers: readonly string[] }

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')

/** Reads the questions of a folder and their answers (`answers.jsonl`: `_id`, `answers`); undefined without that file. */
export const readAnswers = (folder: string): Answerable[] | undefined => {
  const file = join(folder, 'answers.jsonl')
  if (!existsSync(file)) return undefined
  const answers = new Map(
    linesOf(file).map((line) => {
      const entry = JSON.parse(line) as { _id: string; answers: string[] }
      return [entry._id, entry.answers]
    }),
  )
  return linesOf(join(folder, 'queries.jsonl')).flatMap((line) => {
    const { _id, text } = JSON.parse(line) as { _id: string; text: string }
    const own = answers.get(_id)
    return own ? [{ text, answers: own }] : []
  })
}

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
export const measureAnswers = async (api: Client, namespace: string, questions: readonly Answerable[]) => {
  const ask = async (query: string) => {
    const body = { query: query.replaceAll(/(^|\s)#/g, '$1').slice(0, limits.queryLength), namespace }
    return (await api.call(operations.answer, { body }, 200)).body
  }
  const own = await atOnce(1, questions, async ({ text, answers }) => {
    const { answered, answer } = await ask(text)
    return { answered, isRight: answered && hasAnswer(answer, answers) }
  })
  const everyday = await atOnce(1, linesOf(new URL('./everyday-questions.txt', import.meta.url).pathname), ask)
  const answered = own.filter((one) => one.answered).length
  const right = own.filter(({ isRight }) => isRight).length
  const refused = everyday.filter((one) => !one.answered).length
  const figures = { questions: own.length, answered, right, everyday: everyday.length, refused }
  const line = `  answers   answered ${share(answered, own.length)}  with the answer of the reference ${share(right, own.length)}  everyday questions refused ${share(refused, everyday.length)}`
  return { figures, line }
}
