import { readFileSync } from 'node:fs'
import { classify } from '@cairn/domain/jobs/job-error'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import type { ItemTexts } from '@cairn/domain/text/item-words'
import { temporaryFile } from '@cairn/testing/temporary'
import { afterAll, expect, it } from 'vitest'
import { threadTextWorker } from './text-worker.ts'

const worker = threadTextWorker()
afterAll(() => worker.close())

const lengths = [
  ['short', 3],
  ['long', 3_000],
] as const

it.each(lengths)('splits a %s text as the calling thread would', async (_, sentences) => {
  const text = 'One sentence of a text. '.repeat(sentences)
  const input = [
    text,
    Uint32Array.from({ length: text.length }, (_, index) => index),
    { maxTokens: 50, overlapTokens: 6 },
  ] as const
  expect(await worker.cut(...input)).toEqual(await directTextWorker.cut(...input))
})

it.each(lengths)('returns the words of a %s text as the calling thread would', async (_, sentences) => {
  const item = (kind: ItemTexts['kind']): ItemTexts => ({
    kind,
    metadata: '{"key":"value","context":"A title","source":"file.md","number":12345678901234567890}',
    passages: ['Sentences about ERR_4021. '.repeat(sentences), 'another'],
    language: 'en',
  })
  const items = [item('document'), item('chunk'), item('vector')]
  expect(await worker.words(items)).toEqual(await directTextWorker.words(items))
})

it('rejects with the error of its thread, and continues', async () => {
  const broken: ItemTexts = { kind: 'document', metadata: '{'.repeat(3_000), passages: [], language: undefined }
  await expect(worker.words([broken])).rejects.toThrow('JSON')
  expect(await worker.words([{ ...broken, metadata: '{}' }])).toEqual([[]])
})

const options = { maxTokens: 50, overlapTokens: 6 }
const cutOf = (of: typeof worker, text: string, turn: Parameters<typeof worker.cut>[3]) =>
  of.cut(
    text,
    Uint32Array.from({ length: text.length }, (_, index) => index),
    options,
    turn,
  )

it('lets callers take turns, so that one with much text does not delay another', async () => {
  const ended: string[] = []
  const large = 'One sentence of a large text. '.repeat(1_500)
  const calls = Array.from({ length: 12 }, async (_, number) => {
    await cutOf(worker, large, { caller: 'a' })
    ended.push(`a${number}`)
  })
  const waits: number[] = []
  const other = cutOf(worker, 'Small. '.repeat(400), { caller: 'b', onWaited: (ms) => waits.push(ms) })
  await other.then(() => ended.push('b'))
  await Promise.all(calls)
  expect(ended.indexOf('b')).toBeLessThan(3)
  expect(ended.filter((name) => name !== 'b')).toEqual(calls.map((_, number) => `a${number}`))
  expect(waits).toEqual([expect.toSatisfy((ms: number) => ms > 0)])
})

it('drops a call that is aborted before its turn', async () => {
  const abort = new AbortController()
  const long = 'One sentence of a text. '.repeat(500)
  const waits: number[] = []
  const turn = { caller: 'a', onWaited: (ms: number) => waits.push(ms) }
  const first = cutOf(worker, long, turn)
  const aborted = cutOf(worker, long, { ...turn, signal: abort.signal })
  abort.abort(new Error('the client has gone'))
  await expect(aborted).rejects.toThrow('the client has gone')
  expect(await first).not.toEqual([])
  expect(await cutOf(worker, long, turn)).not.toEqual([])
  expect(waits).toHaveLength(2)
})

it('rejects a text that ends its thread twice, and no other', async () => {
  const crashing = threadTextWorker(new URL('./text-worker/crashing-thread.fixture.ts', import.meta.url))
  const path = temporaryFile('crashes')
  const before = cutOf(crashing, 'fine '.repeat(1_000), { caller: 'a' })
  const crash = cutOf(crashing, `crash ${path} ${'x'.repeat(3_000)}`, { caller: 'a' })
  const after = cutOf(crashing, 'fine '.repeat(1_000), { caller: 'a' })
  const error: unknown = await crash.catch((reason: unknown) => reason)
  expect(classify(error)).toEqual({
    kind: 'permanent',
    code: 'internal',
    message: 'The text ended the thread that reads it, twice.',
  })
  expect(readFileSync(path, 'utf8')).toBe('..')
  expect(await Promise.all([before, after])).toEqual([[{ start: 0, end: 1 }], [{ start: 0, end: 1 }]])
  await crashing.close()
})

it('is unavailable once it is closed', async () => {
  const closed = threadTextWorker()
  await closed.close()
  const text = 'a '.repeat(3_000)
  await expect(closed.cut(text, new Uint32Array(3_000), { maxTokens: 5, overlapTokens: 0 })).rejects.toMatchObject({
    code: 'unavailable',
  })
})
