import { sqliteMessageBus } from '@cairn/ports/message-bus/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { seededRandom } from './seeded-random.ts'
import { shuffledDelivery } from './shuffled.ts'
import { temporaryFile } from './temporary.ts'

const message = (id: string, key = id) => ({ id, type: 't', key, correlationId: 'c', occurredAt: '2026-01-01T00:00:00.000Z', data: {} })

const deliver = async (seed: number) => {
  const bus = shuffledDelivery(sqliteMessageBus({ file: temporaryFile('bus.db') }), seededRandom(seed))
  onTestFinished(() => bus.close())
  const seen: string[] = []
  let rejected = false
  const handle = async ({ id }: { readonly id: string }) => {
    if (id === 'a-4' && !rejected) {
      rejected = true
      throw new Error('once more')
    }
    seen.push(id)
  }
  await bus.publish('one', [
    ...Array.from({ length: 8 }, (_, n) => message(`a-${n}`)),
    message('same-1', 'same'),
    message('same-2', 'same'),
  ])
  await bus.publish('two', [message('b-0'), message('b-1')])
  await bus.subscribe({ topic: 'one', group: 'g' }, handle)
  await bus.subscribe({ topic: 'two', group: 'g' }, handle)
  await expect.poll(() => seen.length).toBe(12)
  return seen
}

it('handles every message once, in another order than published, and repeats what was rejected', async () => {
  const seen = await deliver(1)
  expect(new Set(seen).size).toBe(12)
  const published = Array.from({ length: 8 }, (_, n) => `a-${n}`)
  expect(seen.filter((id) => id.startsWith('a-'))).not.toEqual(published)
})

it('keeps the order within a key', async () => {
  const seen = await deliver(2)
  expect(seen.indexOf('same-1')).toBeLessThan(seen.indexOf('same-2'))
})
