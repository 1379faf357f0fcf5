import { embedders } from '@cairn/adapters/embedder/registry'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { AppError } from '@cairn/contracts/errors'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it, onTestFinished } from 'vitest'
import { noTracing } from '../tracing/tracing.ts'
import { createProcess } from './create-process.ts'
import { createLogger } from './logger.ts'

const setUp = () => {
  const { clock } = createManualClock(0)
  const vectors = sqliteVectorIndex({ file: ':memory:' })
  onTestFinished(() => vectors.close())
  const opened = {
    store: stepwiseStore({ now: clock.monotonic }),
    vectors,
    bus: {
      check: async () => undefined,
      publish: async () => {
        throw new AppError('unavailable', 'the bus is away')
      },
      close: async () => undefined,
    } as unknown as MessageBus,
    embedders: embedders({ current: stubEmbedder() }),
  }
  const failed: string[] = []
  const made = createProcess(opened, {
    clock,
    log: createLogger({ level: 'silent', name: 'test' }),
    tracing: noTracing,
    topic: 'cairn.uploads',
    embedder: 'local',
    groups: ['ingestion'],
    onStoreFailed: (port) => void failed.push(port),
  })
  return { opened, failed, ...made }
}

it('counts and reports failures of its ports', async () => {
  const { ports, metrics, failed } = setUp()
  await expect(ports.bus.publish('cairn.uploads', [])).rejects.toMatchObject({ code: 'unavailable' })
  expect(failed).toEqual(['bus'])
  expect((await metrics.scrape()).body).toContain('cairn_store_failures_total{store="bus",reason="unavailable"} 1')
})

it('has a health check of each engine and of the embedder', async () => {
  const { dependencies } = await setUp().health.report()
  expect(Object.keys(dependencies).sort()).toEqual(['embedder', 'message-bus', 'metadata', 'vector-index'])
})

it('closes what may still use the stores before them', () => {
  const { opened, closeAfter } = setUp()
  const { embedders, bus, vectors, store } = opened
  expect(closeAfter).toEqual([embedders, bus, vectors, store, noTracing])
})
