import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { expect, it, onTestFinished } from 'vitest'
import { deliverTwice } from './deliver-twice.ts'

const message = (id: string) => ({
  id,
  type: 't',
  key: 'k',
  correlationId: 'c',
  occurredAt: '2026-01-01T00:00:00.000Z',
  data: { list: [1] },
})

it('hands every message over twice, each time as an object of its own', async () => {
  const bus = deliverTwice(inMemoryMessageBus())
  onTestFinished(() => bus.close())
  const seen: string[] = []
  bus.subscribe({ topic: 't', group: 'g' }, async ({ id, data }) => {
    const { list } = data as { list: number[] }
    seen.push(`${id} ${list.join()}`)
    list.push(2)
  })
  await bus.publish('t', [message('a'), message('b')])
  await expect.poll(() => seen).toEqual(['a 1', 'a 1', 'b 1', 'b 1'])
})
