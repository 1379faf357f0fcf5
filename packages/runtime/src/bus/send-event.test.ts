import { AppError } from '@cairn/contracts/errors'
import { type Envelope, uploadAccepted } from '@cairn/contracts/events'
import { mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { createManualClock } from '@cairn/testing/manual-clock'
import { letRun } from '@cairn/testing/pass-time'
import { expect, it } from 'vitest'
import { createLogger } from '../process/logger.ts'
import { sendEvent } from './send-event.ts'

const setUp = (publish: (messages: readonly Envelope[]) => Promise<void>) => {
  const lines: string[] = []
  const { clock, pass, waiting } = createManualClock(wallAt)
  const sent: Envelope[] = []
  const bus = {
    publish: async (_topic: string, messages: readonly Envelope[]) => {
      sent.push(...messages)
      await publish(messages)
    },
  }
  const log = createLogger({ level: 'warn', name: 'test', write: (line) => void lines.push(line) })
  const tell = (traceparent: string | null = null) =>
    sendEvent({ bus, ids: { next: mint }, clock, log }, uploadAccepted, { namespaceId: 'ns', uploadId: 'up' }, 'up', {
      correlationId: 'request-1',
      traceparent,
    })
  return { lines, pass, waiting, sent, tell }
}

const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

it('tells who caused it and what it belongs to', async () => {
  const { sent, tell, lines, waiting } = setUp(async () => undefined)
  await tell(trace)
  await tell()
  expect(sent).toMatchObject([
    {
      type: 'upload.accepted',
      key: 'up',
      correlationId: 'request-1',
      traceparent: trace,
      data: { namespaceId: 'ns', uploadId: 'up' },
    },
    { key: 'up' },
  ])
  expect(sent[1]).not.toHaveProperty('traceparent')
  expect(lines).toEqual([])
  expect(waiting()).toBe(0)
})

it('only notes that the bus is away: a sweep finds the record', async () => {
  const { tell, lines } = setUp(() => Promise.reject(new AppError('unavailable', 'the bus is away')))
  await tell()
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'warn',
    msg: 'event not published',
    event: 'upload.accepted',
    key: 'up',
  })
})

it('waits half a second for a bus that does not answer, and hears of its failure later', async () => {
  const answer = Promise.withResolvers<void>()
  const { tell, pass, lines } = setUp(() => answer.promise)
  let told = false
  const telling = tell().then(() => {
    told = true
  })
  await letRun()
  pass(499)
  await letRun()
  expect(told).toBe(false)
  pass(1)
  await telling
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['publish took longer than 500 ms'])
  answer.reject(new AppError('unavailable', 'gone after all'))
  await letRun()
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['publish took longer than 500 ms', 'event not published'])
})
