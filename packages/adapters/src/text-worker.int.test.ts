import { directTextWorker } from '@cairn/domain/direct-text-worker'
import type { ItemTexts } from '@cairn/domain/item-words'
import { afterAll, expect, it } from 'vitest'
import { threadTextWorker } from './text-worker.ts'

const worker = threadTextWorker()
afterAll(() => worker.close())

const lengths = [
  ['short', 3],
  ['long', 3_000],
] as const

it.each(lengths)('cuts a %s text as the calling thread would', async (_, sentences) => {
  const text = 'One sentence of a text. '.repeat(sentences)
  const input = [
    text,
    Uint32Array.from({ length: text.length }, (_, index) => index),
    { maxTokens: 50, overlapTokens: 6 },
  ] as const
  expect(await worker.cut(...input)).toEqual(await directTextWorker.cut(...input))
})

it.each(lengths)('makes the words of a %s text as the calling thread would', async (_, sentences) => {
  const item = (kind: ItemTexts['kind']): ItemTexts => ({
    kind,
    metadata: '{"key":"value","context":"A title","source":"file.md","number":12345678901234567890}',
    passages: ['Sentences about ERR_4021. '.repeat(sentences), 'another'],
    language: 'en',
  })
  const items = [item('document'), item('chunk'), item('vector')]
  expect(await worker.words(items)).toEqual(await directTextWorker.words(items))
})

it('rejects with the error of its thread, and goes on', async () => {
  const broken: ItemTexts = { kind: 'document', metadata: '{'.repeat(3_000), passages: [], language: undefined }
  await expect(worker.words([broken])).rejects.toThrow('JSON')
  expect(await worker.words([{ ...broken, metadata: '{}' }])).toEqual([[]])
})

it('is unavailable once it is closed', async () => {
  const closed = threadTextWorker()
  await closed.close()
  const text = 'a '.repeat(3_000)
  await expect(closed.cut(text, new Uint32Array(3_000), { maxTokens: 5, overlapTokens: 0 })).rejects.toMatchObject({
    code: 'unavailable',
  })
})
