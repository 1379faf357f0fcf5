import { objectEventsTopic } from '@cairn/contracts/events'
import { expect, it } from 'vitest'
import { createBus, createPipelineScene } from './pipeline-scene.contract.ts'

const setUp = async ({ hears = true, isAway = false } = {}) => {
  const { state, handlers, bus } = createBus()
  state.isAway = isAway
  const scene = await createPipelineScene({ hears, bus })
  /** A file that has arrived under a permission, and what the store says of it. */
  const arrive = async (name: string) => {
    const key = await scene.permit(name)
    await scene.files.put(key, Buffer.from('some text'), { contentType: 'text/plain' })
    return JSON.stringify({ Records: [{ s3: { object: { key: encodeURIComponent(key) } } }] })
  }
  const say = (data: unknown) =>
    handlers.get(objectEventsTopic)?.({ id: 'm-1', type: 'unreadable', key: '', correlationId: '', occurredAt: '', data })
  return { ...scene, state, handlers, arrive, say }
}

it('starts while the bus is away, and hears of new objects once it is there', async () => {
  const { service, manual, state, handlers, arrive, say, isNoticed } = await setUp({ isAway: true })
  await service.start()
  expect([...handlers.keys()]).toEqual([])
  state.isAway = false
  manual.pass(2_000)
  await expect.poll(() => [...handlers.keys()].toSorted()).toEqual(['cairn.files', objectEventsTopic])
  await say(await arrive('a.txt'))
  expect(await isNoticed('a.txt')).toBe(true)
})

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

it('stops while the bus is away, and hears nothing when it comes back', async () => {
  const { service, manual, state, handlers } = await setUp({ isAway: true })
  await service.start()
  await service.stop()
  state.isAway = false
  manual.pass(60_000)
  expect(manual.waiting()).toBe(0)
  expect([...handlers.keys()]).toEqual([])
})
