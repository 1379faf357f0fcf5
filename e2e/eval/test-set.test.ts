import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { readTestSet } from './test-set.ts'

const folderOf = (qrels: string) => {
  const folder = temporaryDirectory()
  const write = (name: string, lines: readonly object[]) =>
    writeFileSync(join(folder, name), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  write('corpus.jsonl', [
    { _id: 1, title: 'Ash', text: 'a tree' },
    { _id: '2', text: 'a stone' },
  ])
  write('queries.jsonl', [
    { _id: 'q1', text: 'what grows' },
    { _id: 'q2', text: 'unjudged' },
    { _id: 'q3', text: 'judged without a hit' },
  ])
  mkdirSync(join(folder, 'qrels'))
  writeFileSync(join(folder, qrels), 'query-id\tcorpus-id\tscore\nq1\t1\t2\nq1\t2\t0\nq3\t2\t0\n')
  return folder
}

it.each(['qrels.tsv', 'qrels/test.tsv', 'qrels/dev.tsv'])(
  'reads documents, and the queries that %s gives a relevant one',
  (qrels) => {
    expect(readTestSet(folderOf(qrels))).toEqual({
      documents: [
        { id: '1', text: 'Ash\na tree' },
        { id: '2', text: 'a stone' },
      ],
      queries: [
        {
          text: 'what grows',
          grades: new Map([
            ['1', 2],
            ['2', 0],
          ]),
        },
      ],
    })
  },
)

it('says which file is missing', () => {
  const folder = folderOf('qrels.tsv')
  writeFileSync(join(folder, 'qrels/one.tsv'), '')
  writeFileSync(join(folder, 'qrels/two.tsv'), '')
  expect(readTestSet(folder).queries).toHaveLength(1)
  expect(() => readTestSet(temporaryDirectory())).toThrow(/needs judgments/)
})

it('reads the answers of a reference where the folder has them', () => {
  const folder = folderOf('qrels.tsv')
  writeFileSync(
    join(folder, 'answers.jsonl'),
    '{"_id": "q1", "answers": ["ash", "a tree"]}\n{"_id": "q2", "answers": []}\n',
  )
  expect(readTestSet(folder).queries.map(({ answers }) => answers)).toEqual([['ash', 'a tree']])
})
