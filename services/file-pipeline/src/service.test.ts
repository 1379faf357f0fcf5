import { objectEventsTopic } from '@cairn/contracts/events'
import { letRun } from '@cairn/testing/pass-time'
import { expect, it } from 'vitest'
import { createBus, createPipelineScene } from './pipeline-scene.fixture.ts'

const setUp = async ({ objectEventsEnabled = true } = {}) => {
  const { handlers, bus } = createBus()
  const scene = await createPipelineScene({ objectEventsEnabled, bus })
  /** Stores a file under a permission; resolves to the store's event. */
  const arrive = async (name: string) => {
    const key = await scene.permit(name)
    await scene.files.put(key, Buffer.from('some text'), { contentType: 'text/plain' })
    return JSON.stringify({ Records: [{ s3: { object: { key: encodeURIComponent(key) } } }] })
  }
  const say = (data: unknown) =>
    handlers.get(objectEventsTopic)?.({
      id: 'm-1',
      type: 'unreadable',
      key: '',
      correlationId: '',
      occurredAt: '',
      data,
    })
  return { ...scene, handlers, arrive, say }
}

it('registers an object on its event, before the next poll', async () => {
  const { service, arrive, say, isRegistered } = await setUp()
  await service.start()
  await say(await arrive('a b/ü.txt'))
  expect(await isRegistered('a b/ü.txt')).toBe(true)
})

it('registers an object without an event at the next poll', async () => {
  const { service, manual, handlers, arrive, isRegistered } = await setUp({ objectEventsEnabled: false })
  await service.start()
  expect([...handlers.keys()]).toEqual(['cairn.files'])
  await arrive('a.txt')
  expect(await isRegistered('a.txt')).toBe(false)
  manual.pass(6_000)
  await expect.poll(() => isRegistered('a.txt')).toBe(true)
})

it('handles no events after it has stopped', async () => {
  const { service, handlers } = await setUp()
  await service.start()
  expect([...handlers.keys()].toSorted()).toEqual(['cairn.files', objectEventsTopic])
  await service.stop()
  expect([...handlers.keys()]).toEqual([])
})

it('sweeps orphans in one process at a time, and the others report none', async () => {
  const { createService, manual, files } = await setUp()
  await files.put(`${files.prefix}/of/nobody.txt`, Buffer.from('text'), { contentType: 'text/plain' })
  manual.pass(7_200_000)
  const reports = new Map<string, number[]>()
  const services = ['first', 'second', 'third'].map((name) => {
    const own: number[] = []
    reports.set(name, own)
    return createService((objects) => own.push(objects))
  })
  for (const service of services) await service.start()
  for (let minute = 0; minute < 600; minute += 1) {
    manual.pass(60_000)
    await letRun(4)
  }
  const sweeps = [...reports.values()].flat().filter((objects) => objects === 1).length
  expect(sweeps).toBeGreaterThanOrEqual(8)
  expect(sweeps).toBeLessThanOrEqual(11)
  // A process that has not swept for two hours reports 0, so not every last report must be 1.
  const last = [...reports.values()].map((own) => own.at(-1))
  expect(last).toContain(1)
})
