import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { operations } from '@cairn/contracts/api/operations'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { eventually } from '@cairn/testing/eventually'
import { type Client, formOf } from '../client.ts'

const folder = fileURLToPath(new URL('./questions/', import.meta.url))
const namespace = 'questions'
const readWithinMs = 600_000
/** Passages among which search must have the right one for a question to count. */
const among = 3

type Question = {
  readonly id: string
  /** `row`: answered by a row of a table. `near-miss`: the files answer a similar question, but not this one. */
  readonly kind: 'prose' | 'row' | 'near-miss'
  readonly question: string
  readonly language: string
  /** File that answers it. */
  readonly file?: string
  /** Regular expressions that a right answer matches, all of them, and of wrong values that it does not have. */
  readonly answers?: readonly string[]
  readonly not?: readonly string[]
  /** `fit`: weights were fitted on it. */
  readonly half: 'fit' | 'test'
}

const has = (text: string, expression: string): boolean => new RegExp(expression, 'iu').test(text)
const hasAnswers = (text: string, { answers = [] }: Question): boolean => answers.every((one) => has(text, one))
const isRightAnswer = (text: string, question: Question): boolean =>
  hasAnswers(text, question) && !question.not?.some((one) => has(text, one))

const fill = async (api: Client): Promise<void> => {
  const params = { namespace_name: namespace }
  await api.call(operations.createNamespace, { body: { namespace_name: namespace, type: 'text' } }, 201)
  const names = readdirSync(join(folder, 'files'))
  await atOnce(2, names, async (name) => {
    const sent = await formOf(name, readFileSync(join(folder, 'files', name)))
    await api.call(operations.uploadFile, { params, ...sent }, 200)
  })
  for (const name of names) {
    const { body } = await eventually(
      () => api.call(operations.getFileStatus, { params: { ...params, file_name: name } }, 200),
      ({ body: { state } }) => state === 'completed' || state === 'failed',
      { withinMs: readWithinMs, everyMs: 200 },
    )
    if (body.state !== 'completed') throw new Error(`${name}: ${body.message}`)
  }
}

const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${whole === 0 ? '0' : (part / whole).toFixed(2)})`

/** Asks the questions of one half, and returns a line of figures and the answers. */
const measure = (half: Question['half'], asked: readonly Asked[]) => {
  const of = asked.filter(({ question }) => question.half === half)
  const own = of.filter(({ question: { kind } }) => kind !== 'near-miss')
  const near = of.filter(({ question: { kind } }) => kind === 'near-miss')
  const found = own.filter(({ isFound }) => isFound)
  const rows = found.filter(({ question: { kind } }) => kind === 'row')
  const said = of.filter(({ isSaid }) => isSaid)
  const right = (some: readonly Asked[]) => some.filter(({ isRight, isSaid }) => isRight && isSaid).length
  const refused = (some: readonly Asked[]) => some.filter(({ isSaid }) => !isSaid).length
  const chosen = own.filter(({ isRight }) => isRight)
  return [
    `  ${half.padEnd(4)}  search has the passage among ${among}: ${share(found.length, own.length)}`,
    `right of these ${share(right(found), found.length)}, of rows ${share(right(rows), rows.length)}`,
    `of what is said wrong ${share(said.length - right(said), said.length)}`,
    `near misses refused ${share(refused(near), near.length)}`,
    `right ones refused ${share(refused(chosen), chosen.length)}`,
  ].join('; ')
}

type Asked = {
  readonly question: Question
  readonly isFound: boolean
  readonly isSaid: boolean
  readonly isRight: boolean
  readonly answer: string
}

/** Asks the questions of `e2e/eval/questions`; prints figures of both halves. Returns all answers. */
export const measureQuestions = async (api: Client, say: (line: string) => void): Promise<readonly Asked[]> => {
  const lines = readFileSync(join(folder, 'questions.jsonl'), 'utf8').trim().split('\n')
  const questions = lines.map((line) => JSON.parse(line) as Question)
  await fill(api)
  const asked = await atOnce(1, questions, async (question): Promise<Asked> => {
    const { body } = await api.call(operations.answer, { body: { query: question.question, namespace } }, 200)
    const { answer, answered, sources } = body
    const chunks = sources.filter(({ metadata }) => metadata['is_summary'] !== true)
    const isFound =
      question.kind !== 'near-miss' &&
      chunks
        .slice(0, among)
        .some(({ text, metadata }) => metadata['source'] === question.file && hasAnswers(text, question))
    return {
      question,
      isFound,
      isSaid: answered,
      isRight: question.kind !== 'near-miss' && isRightAnswer(answer, question),
      answer,
    }
  })
  for (const half of ['fit', 'test'] as const) say(measure(half, asked))
  return asked
}
