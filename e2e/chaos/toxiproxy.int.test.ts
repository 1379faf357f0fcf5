import { expect, it } from 'vitest'
import { toxicOf } from './toxiproxy.ts'

it('speaks of each trouble as the proxy does', () => {
  expect(toxicOf({ kind: 'cut' })).toBeUndefined()
  expect(toxicOf({ kind: 'slow', latencyMs: 500, jitterMs: 100 })).toMatchObject({
    type: 'latency',
    attributes: { latency: 500, jitter: 100 },
  })
  expect(toxicOf({ kind: 'narrow', kilobytesPerSecond: 10 })).toMatchObject({
    type: 'bandwidth',
    attributes: { rate: 10 },
  })
  expect(toxicOf({ kind: 'reset' })).toMatchObject({ type: 'reset_peer' })
  expect(toxicOf({ kind: 'hole' })).toMatchObject({
    type: 'timeout',
    attributes: { timeout: 0 },
    streams: ['upstream', 'downstream'],
  })
  expect(toxicOf({ kind: 'broken off', bytes: 7 })).toMatchObject({ type: 'limit_data', attributes: { bytes: 7 } })
})
