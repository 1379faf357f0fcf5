import { sqliteMessageBus } from '@cairn/ports/message-bus/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { deliverTwice } from './deliver-twice.ts'
import { temporaryFile } from './temporary.ts'

const message = (id: string) => ({
  id,
  type: 't',
  key: 'k',
  correlationId: 'c',
  occurredAt: '2026-01-01T00:00:00.000Z',
  data: { list: [1] },
})

it('hands every message over twice, each time as an object of its own', async () => {
  const bus = deliverTwice(sqliteMessageBus({ file: temporaryFile('bus.db') }))
  onTestFinished(() => bus.close())
  const seen: string[] = []
  await bus.subscribe({ topic: 't', group: 'g' }, async ({ id, data }) => {
    const { list } = data as { list: number[] }
    seen.push(`${id} ${list.join()}`)
    list.push(2)
  })
  await bus.publish('t', [message('a'), message('b')])
  await expect.poll(() => seen).toEqual(['a 1', 'a 1', 'b 1', 'b 1'])
  await expect.poll(() => bus.backlog({ topic: 't', group: 'g' })).toMatchObject({ messages: 0 })
})

it('leaves a message unhandled when its second delivery is rejected', async () => {
  const bus = deliverTwice(sqliteMessageBus({ file: temporaryFile('bus.db') }))
  onTestFinished(() => bus.close())
  let calls = 0
  await bus.subscribe({ topic: 't', group: 'g' }, async () => {
    calls++
    if (calls === 2) throw new Error('not the second time')
  })
  await bus.publish('t', [message('a')])
  await expect.poll(() => calls).toBe(4)
})
