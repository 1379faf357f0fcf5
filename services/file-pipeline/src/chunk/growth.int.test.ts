import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { readFile, texts } from '@cairn/extract/read-file.fixture'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { cutChunks } from './cut-chunks.ts'

const model = stubEmbedder({ maxTokens: 256 })
const name = (column: number) =>
  Array.from({ length: 66 }, (_, word) => `${column}${(word % 90) + 10}`.slice(-2)).join(' ')
const header = ['a', 'b', 'c', 'd'].map((letter, column) => `${letter} ${name(column)}`).join(',')
const table = (rows: number) => `${header}\n${'1\n'.repeat(rows)}`

/** Returns the number of UTF-16 units of all chunks. */
const charactersOf = async (content: string): Promise<number> => {
  const { blocks } = await readFile('csv', content)
  const stream = (async function* () {
    yield* blocks
  })()
  let characters = 0
  for await (const event of cutChunks(stream, {
    maxTokens: 256,
    overlapTokens: 32,
    tokens: model.tokens,
    cut: directTextWorker.cut,
  })) {
    if ('chunk' in event) characters += event.chunk.text.length
  }
  return characters
}

it('limits the growth of a large table of long names and short values to 64 times its size', async () => {
  const content = table(359_000)
  expect(await charactersOf(content)).toBeLessThan(64 * content.length)
})

it('writes long names in full in a table of usual size', async () => {
  const rows = texts(await readFile('csv', table(500)))
  expect(new Set(rows)).toEqual(new Set([`a ${name(0)}: 1`]))
})

it('writes the same rows after it resumes in the middle', { timeout: 30_000 }, async () => {
  const content = table(30_000)
  const all = texts(await readFile('csv', content))
  expect(all.at(0)).not.toBe(all.at(-1))
  for (const seq of [5, 20_000, 29_000])
    expect(texts(await readFile('csv', content, { from: { seq } }))).toEqual(all.slice(seq))
})
