import { expect, it } from 'vitest'
import { mint, times } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

const keepMs = 3_600_000

export const repeatableRequestsContract = (group: Group) =>
  behaviour('requests with an idempotency key', group, (engine) => {
    const request = (more: { readonly owner?: string; readonly key?: string } = {}) => ({
      owner: mint('acc'),
      key: mint('key'),
      token: mint('request'),
      ...more,
    })
    const begin = (held: ReturnType<typeof request>, fingerprint = 'same') =>
      engine.store.repeatableRequests.begin({ ...held, fingerprint }, keepMs)

    it('gives the key to one of many, and its response to every later one', async () => {
      const { repeatableRequests } = engine.store
      const first = request()
      const all = times(8, () => request({ owner: first.owner, key: first.key }))
      const begun = await Promise.all(all.map((one) => begin(one)))
      expect(begun.toSorted()).toEqual(['begun', ...times(7, () => 'running')])
      const holder = all[begun.indexOf('begun')] as typeof first
      expect(await repeatableRequests.finish(holder, 'the response')).toBe(true)
      expect(await begin(first)).toEqual({ response: 'the response' })
      expect(await begin(request({ key: first.key }))).toBe('begun')
    })

    it('refuses another request under the key, while it runs and after it', async () => {
      const held = request()
      const again = request({ owner: held.owner, key: held.key })
      expect(await begin(held)).toBe('begun')
      expect(await begin(again, 'other')).toBe('reused')
      await engine.store.repeatableRequests.finish(held, 'the response')
      expect(await begin(again, 'other')).toBe('reused')
    })

    it('gives the key of a request that renews no more to one of many, and shuts the former out', async () => {
      const { repeatableRequests } = engine.store
      const held = request()
      await begin(held)
      await engine.advance(20_000)
      expect(await repeatableRequests.renew(held)).toBe(true)
      await engine.advance(20_000)
      expect(await begin(request({ owner: held.owner, key: held.key }))).toBe('running')
      await engine.advance(11_000)
      const others = times(8, () => request({ owner: held.owner, key: held.key }))
      const begun = await Promise.all(others.map((one) => begin(one)))
      expect(begun.toSorted()).toEqual(['begun', ...times(7, () => 'running')])
      expect(await repeatableRequests.renew(held)).toBe(false)
      expect(await repeatableRequests.finish(held, 'late')).toBe(false)
      await repeatableRequests.release(held)
      expect(await begin(request({ owner: held.owner, key: held.key }))).toBe('running')
    })

    it('frees a released key, also for another request', async () => {
      const held = request()
      await begin(held)
      await engine.store.repeatableRequests.release(held)
      expect(await begin(request({ owner: held.owner, key: held.key }), 'other')).toBe('begun')
    })

    it('hands a response to one of many that take it, and then it is gone', async () => {
      const { repeatableRequests } = engine.store
      const held = request()
      const take = () => repeatableRequests.take({ owner: held.owner, key: held.key })
      expect(await take()).toBeUndefined()
      await begin(held)
      expect(await take()).toBeUndefined()
      await repeatableRequests.finish(held, 'the response')
      const taken = await Promise.all(times(8, take))
      expect(taken.filter((one) => one !== undefined)).toEqual(['the response'])
      expect(await take()).toBeUndefined()

      const late = request()
      await begin(late)
      await repeatableRequests.finish(late, 'the response')
      await engine.advance(keepMs)
      expect(await repeatableRequests.take({ owner: late.owner, key: late.key })).toBeUndefined()
    })

    it('forgets a request after its time, whether its record was removed or not', async () => {
      const { repeatableRequests } = engine.store
      const [one, other] = [request(), request()]
      for (const held of [one, other]) {
        await begin(held)
        await repeatableRequests.finish(held, 'the response')
      }
      await engine.advance(keepMs + 1)
      expect(await begin(request({ owner: one.owner, key: one.key }), 'other')).toBe('begun')
      let removed = 0
      for (let some = -1; some !== 0; removed += some) some = await repeatableRequests.prune(100)
      expect(removed).toBeGreaterThanOrEqual(1)
      expect(await begin(request({ owner: one.owner, key: one.key }), 'other')).toBe('running')
      expect(await begin(request({ owner: other.owner, key: other.key }), 'other')).toBe('begun')
    })
  })
