import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { operations } from '@cairn/contracts/api/operations'
import { wallAt } from '@cairn/domain/protocol/scene.fixture'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it, onTestFinished } from 'vitest'
import { replayDeadLetter } from './dead-letters.ts'

const message = {
  id: 'msg_1',
  type: 'upload.accepted',
  key: 'up',
  correlationId: 'request-1',
  occurredAt: '2026-03-01T12:00:00.000Z',
  data: { uploadId: 'up' },
}

const group = { topic: 'cairn.uploads', group: 'ingestion' } as const

const setUp = async (raw: string) => {
  const { clock } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const bus = inMemoryMessageBus()
  onTestFinished(() => bus.close())
  const published: string[] = []
  bus.subscribe(group, async ({ id }) => void published.push(id))
  await store.deadLetters.insert({ id: 'dead_1', ...group, reason: 'x', raw, at: 0, replayedAt: null })
  const replay = async () => {
    const request = {
      ...guardedRequest(operations.replayDeadLetter),
      params: { dead_letter_id: 'dead_1' },
      caller: 'admin' as const,
    }
    return replayDeadLetter({ store, bus, clock }).handle(request)
  }
  return { store, published, replay }
}

it('puts the message on its topic again and says when', async () => {
  const { store, published, replay } = await setUp(JSON.stringify(message))
  expect(await replay()).toMatchObject({
    status: 200,
    body: { dead_letter_id: 'dead_1', replayed_at: new Date(wallAt).toISOString() },
  })
  await expect.poll(() => published).toEqual(['msg_1'])
  expect((await store.deadLetters.get('dead_1'))?.replayedAt).toBe(wallAt)
})

it.each([
  ['no JSON', '{'],
  ['no object', 'null'],
  ['a message without an id', JSON.stringify({ ...message, id: undefined })],
  ['a message whose key is no text', JSON.stringify({ ...message, key: null })],
  ['a message whose type is no text', JSON.stringify({ ...message, type: {} })],
])('refuses what would be unreadable once more: %s', async (_name, raw) => {
  const { store, published, replay } = await setUp(raw)
  await expect(replay()).rejects.toMatchObject({ code: 'conflict' })
  expect(published).toEqual([])
  expect((await store.deadLetters.get('dead_1'))?.replayedAt).toBeNull()
})
