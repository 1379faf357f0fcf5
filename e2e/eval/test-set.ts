import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@cairn/contracts/limits'
import type { Grades } from '@cairn/contracts/text/measures'

/** A test collection in BEIR's format. Ids are those of the collection's files. */
export type TestSet = {
  readonly documents: readonly { readonly id: string; readonly text: string }[]
  /** Queries with at least one relevant document. */
  readonly queries: readonly Query[]
}

/** A question with the grades of its documents and, if the folder has `answers.jsonl`, the answers of a reference. */
export type Query = { readonly text: string; readonly grades: Grades; readonly answers?: readonly string[] }

export const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')

type Entry = {
  readonly _id: string | number
  readonly title?: string
  readonly text?: string
  readonly answers?: readonly string[]
}
const entriesOf = (file: string): Entry[] => linesOf(file).map((line) => JSON.parse(line) as Entry)

/**
 * Returns the path of `qrels.tsv`, `qrels/test.tsv`, or the only file in `qrels`. The file has a header line, and
 * query, document and grade on each other line. Throws if there is no such file.
 */
const judgmentsOf = (folder: string): string => {
  const given = ['qrels.tsv', 'qrels/test.tsv'].map((name) => join(folder, name)).find((path) => existsSync(path))
  if (given) return given
  const [only, ...others] = existsSync(join(folder, 'qrels')) ? readdirSync(join(folder, 'qrels')) : []
  if (only === undefined || others.length > 0)
    throw new Error(`${folder} needs judgments: qrels.tsv, qrels/test.tsv or one file in qrels`)
  return join(folder, 'qrels', only)
}

/** Returns a question as it is sent: a `#` at the beginning of a word is a filter of the API, not part of it. */
export const sentQuery = (text: string): string => text.replaceAll(/(^|\s)#/g, '$1').slice(0, limits.queryLength)

/**
 * Reads `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`) and the judgments of a folder, and
 * `answers.jsonl` (`_id`, `answers`) if it has that file.
 */
export const readTestSet = (folder: string): TestSet => {
  const grades = new Map<string, Map<string, number>>()
  for (const line of linesOf(judgmentsOf(folder))) {
    const [query = '', document = '', grade = ''] = line.split('\t')
    if (!/^-?\d+$/.test(grade.trim())) continue
    const ofQuery = grades.get(query) ?? new Map<string, number>()
    grades.set(query, ofQuery.set(document, Number(grade)))
  }
  const documents = entriesOf(join(folder, 'corpus.jsonl')).map(({ _id, title = '', text = '' }) => ({
    id: String(_id),
    text: `${title}\n${text}`.trim(),
  }))
  const answersFile = join(folder, 'answers.jsonl')
  const answered = existsSync(answersFile) ? entriesOf(answersFile) : []
  const answersOf = new Map(answered.map(({ _id, answers }) => [String(_id), answers]))
  const queries = entriesOf(join(folder, 'queries.jsonl')).flatMap(({ _id, text = '' }): Query[] => {
    const ofQuery = grades.get(String(_id))
    const answers = answersOf.get(String(_id))
    return ofQuery && [...ofQuery.values()].some((grade) => grade > 0)
      ? [{ text, grades: ofQuery, ...(answers && { answers }) }]
      : []
  })
  return { documents, queries }
}
