import { createManualClock } from '@cairn/testing/manual-clock'
import { expect, it } from 'vitest'
import { kafkaConnected } from './connection.ts'

it('disconnects a client once, however many of its requests fail together', async () => {
  const { clock, pass } = createManualClock()
  const disconnected: string[] = []
  let clients = 0
  const connected = kafkaConnected({ clock, timeoutMs: 1_000 }, async () => {
    clients += 1
    const name = `client ${clients}`
    return { disconnect: async () => void disconnected.push(name) }
  })
  const unanswered = Array.from({ length: 20 }, () => connected.run(() => new Promise<never>(() => {})))
  const outcomes = Promise.allSettled(unanswered)
  await pass(1_000)
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(disconnected).toEqual(['client 1'])
  expect(await connected.run(async () => 'an answer')).toBe('an answer')
  await connected.close()
  expect(disconnected).toEqual(['client 1', 'client 2'])
})
