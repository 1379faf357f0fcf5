import { systemClock } from '@cairn/adapters/clock/system'
import { expect, it, onTestFinished } from 'vitest'
import { createHealth } from '../process/health.ts'
import { createLogger } from '../process/logger.ts'
import { createMetrics } from '../process/metrics.ts'
import { createOpsServer } from './ops-server.ts'

it('serves health and metrics, and nothing else', async () => {
  const clock = systemClock()
  const health = createHealth({ clock })
  let works = true
  health.dependency('store', () => ({ ok: works }))
  const metrics = createMetrics()
  metrics.rebalance('ingestion')
  const log = createLogger({ level: 'silent', name: 'test' })
  const server = createOpsServer({ host: '127.0.0.1', port: 0, health, metrics, clock, log })
  await server.start()
  onTestFinished(server.stop)
  const get = (path: string) => fetch(`http://127.0.0.1:${server.port()}${path}`)
  expect((await get('/livez')).status).toBe(200)
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ready', dependencies: { store: { ok: true } } })
  expect(await (await get('/metrics')).text()).toContain('cairn_bus_rebalances_total{group="ingestion"} 1')
  expect((await get('/v1/namespaces')).status).toBe(404)
  works = false
  await expect.poll(async () => (await get('/readyz')).status).toBe(503)
})
