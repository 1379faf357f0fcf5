import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@cairn/contracts/limits'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { readQuestions } from './read-questions.ts'

const write = (content: string | Uint8Array): string => {
  const path = join(temporaryDirectory(), 'questions.jsonl')
  writeFileSync(path, content)
  return path
}
const lines = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const read = (content: string | Uint8Array) => readQuestions(write(content))

it('reads questions with ids, with files, or with both', async () => {
  const { questions } = await read(
    `${lines({ question: 'b', files: ['a.pdf', 'a.pdf'] })}\r\n\n${lines({ question: 'a', expected: [2, 'x', '2'], files: ['z.md'] })}`,
  )
  expect(questions).toEqual([
    { question: 'a', expected: ['2', 'x'], files: ['z.md'] },
    { question: 'b', expected: [], files: ['a.pdf'] },
  ])
})

it('has one hash and one order for the same questions in any order of lines, ids and fields', async () => {
  const first = await read(lines({ question: 'a', expected: ['x', 'y'] }, { question: 'b', files: ['é.txt'] }))
  const second = await read(
    lines({ files: ['e\u0301.txt'], question: 'b' }, { question: 'a', expected: ['y', 'x'] }).trimEnd(),
  )
  expect(second).toEqual(first)
  const other = await read(lines({ question: 'a', expected: ['x'] }, { question: 'b', files: ['é.txt'] }))
  expect(other.hash).not.toBe(first.hash)
})

const good = { question: 'a', expected: ['x'] }
it.each([
  ['{"question": "a", "expected": ["x"]', 'line 2 is not JSON'],
  ['["a"]', 'line 2: must be an object'],
  ['{"expected": ["x"]}', 'line 2: question must be a text'],
  ['{"question": " ", "expected": ["x"]}', 'line 2: question must be a text'],
  [`{"question": "${'q'.repeat(limits.queryLength + 1)}", "expected": ["x"]}`, 'line 2: question must be a text'],
  ['{"question": "\\ud800", "expected": ["x"]}', 'line 2: question must be a text'],
  ['{"question": "a"}', 'line 2: must have expected or files'],
  ['{"question": "a", "expected": []}', 'line 2: expected must be an array'],
  ['{"question": "a", "expected": "x"}', 'line 2: expected must be an array'],
  ['{"question": "a", "expected": [""]}', 'line 2: expected.0 must'],
  ['{"question": "a", "files": [1]}', 'line 2: files.0 must be'],
  [`{"question": "a", "files": ${JSON.stringify(Array(101).fill('f'))}}`, 'line 2: files must be an array of 1 to 100'],
  ['{"question": "a", "expected": ["x"], "file": "y"}', 'line 2: has an unknown field: file'],
])('names the line of %s', async (line, message) => {
  await expect(read(`${lines(good)}${line}\n${lines(good)}`)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(message),
  })
})

it('accepts 10,000 questions, and questions of 10,000 characters, and no more', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...good, question: `q${index}` }))
  expect((await read(lines(...many(limits.evaluationQuestions)))).questions).toHaveLength(limits.evaluationQuestions)
  await expect(read(lines(...many(limits.evaluationQuestions + 1)))).rejects.toMatchObject({ code: 'invalid' })
  expect((await read(lines({ ...good, question: '😀'.repeat(limits.queryLength) }))).questions).toHaveLength(1)
})

it('refuses an endless file, a file that is missing, a folder, empty, or not UTF-8', async () => {
  for (const path of [
    join(temporaryDirectory(), 'none'),
    temporaryDirectory(),
    '/dev/zero',
    write('\n'),
    write(Uint8Array.of(0xff)),
  ])
    await expect(readQuestions(path)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(path) })
})
