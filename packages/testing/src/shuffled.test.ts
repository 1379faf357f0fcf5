import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { expect, it, onTestFinished } from 'vitest'
import { seededRandom } from './seeded-random.ts'
import { shuffledDelivery } from './shuffled.ts'

const message = (id: string) => ({
  id,
  type: 't',
  key: id,
  correlationId: 'c',
  occurredAt: '2026-01-01T00:00:00.000Z',
  data: {},
})

it('handles every message once, in another order than published', async () => {
  const bus = shuffledDelivery(inMemoryMessageBus(), seededRandom(1))
  onTestFinished(() => bus.close())
  const seen: string[] = []
  for (const topic of ['one', 'two']) bus.subscribe({ topic, group: 'g' }, async ({ id }) => void seen.push(id))
  const published = Array.from({ length: 8 }, (_, n) => `a-${n}`)
  await bus.publish('one', published.map(message))
  await bus.publish('two', [message('b-0'), message('b-1')])
  await expect.poll(() => seen.length).toBe(10)
  expect(new Set(seen).size).toBe(10)
  expect(seen.filter((id) => id.startsWith('a-'))).not.toEqual(published)
})
