import { objectEventsTopic } from '@cairn/contracts/events'
import { expect, it } from 'vitest'
import { createBus, createPipelineScene } from './pipeline-scene.contract.ts'

const setUp = async ({ objectEventsEnabled = true } = {}) => {
  const { handlers, bus } = createBus()
  const scene = await createPipelineScene({ objectEventsEnabled, bus })
  /** A file that has arrived under a permission, and what the store says of it. */
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

it('hears of an object before it would look for it', async () => {
  const { service, arrive, say, isRegistered } = await setUp()
  await service.start()
  await say(await arrive('a b/ü.txt'))
  expect(await isRegistered('a b/ü.txt')).toBe(true)
})

it('finds an object that nobody told of, when it looks', async () => {
  const { service, manual, handlers, arrive, isRegistered } = await setUp({ objectEventsEnabled: false })
  await service.start()
  expect([...handlers.keys()]).toEqual(['cairn.files'])
  await arrive('a.txt')
  expect(await isRegistered('a.txt')).toBe(false)
  manual.pass(6_000)
  await expect.poll(() => isRegistered('a.txt')).toBe(true)
})

it('hears nothing once it has stopped', async () => {
  const { service, handlers } = await setUp()
  await service.start()
  expect([...handlers.keys()].toSorted()).toEqual(['cairn.files', objectEventsTopic])
  await service.stop()
  expect([...handlers.keys()]).toEqual([])
})
