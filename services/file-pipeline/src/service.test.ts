import { objectEventsTopic } from '@cairn/contracts/events'
import { expect, it } from 'vitest'
import { createBus, createPipelineScene } from './pipeline-scene.contract.ts'

const setUp = async ({ hears = true } = {}) => {
  const { handlers, bus } = createBus()
  const scene = await createPipelineScene({ hears, bus })
  /** A file that has arrived under a permission, and what the store says of it. */
  const arrive = async (name: string) => {
    const key = await scene.permit(name)
    await scene.files.put(key, Buffer.from('some text'), { contentType: 'text/plain' })
    return JSON.stringify({ Records: [{ s3: { object: { key: encodeURIComponent(key) } } }] })
  }
  const say = (data: unknown) =>
    handlers.get(objectEventsTopic)?.({ id: 'm-1', type: 'unreadable', key: '', correlationId: '', occurredAt: '', data })
  return { ...scene, handlers, arrive, say }
}

it('hears of an object before it would look for it', async () => {
  const { service, arrive, say, isNoticed } = await setUp()
  await service.start()
  await say(await arrive('a b/ü.txt'))
  expect(await isNoticed('a b/ü.txt')).toBe(true)
})

it('finds an object that nobody told of, when it looks', async () => {
  const { service, manual, handlers, arrive, isNoticed } = await setUp({ hears: false })
  await service.start()
  expect([...handlers.keys()]).toEqual(['cairn.files'])
  await arrive('a.txt')
  expect(await isNoticed('a.txt')).toBe(false)
  manual.pass(6_000)
  await expect.poll(() => isNoticed('a.txt')).toBe(true)
})

it('hears nothing once it has stopped', async () => {
  const { service, handlers } = await setUp()
  await service.start()
  expect([...handlers.keys()].toSorted()).toEqual(['cairn.files', objectEventsTopic])
  await service.stop()
  expect([...handlers.keys()]).toEqual([])
})
