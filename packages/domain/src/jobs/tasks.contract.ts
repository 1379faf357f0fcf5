import { expect, it } from 'vitest'
import { mint, times } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

const everyMs = 3_600_000

export const tasksContract = (group: Group) =>
  behaviour('tasks', group, (engine) => {
    const lease = (name: string, token: string) => engine.store.tasks.lease(name, token, { everyMs })

    it('gives the lease of a new task to one of many who ask', async () => {
      const name = mint('task')
      expect(await engine.store.tasks.get(name)).toBeUndefined()
      const leased = await Promise.all(times(8, (n) => lease(name, `token-${n}`)))
      const [task, ...others] = leased.filter((one) => one !== undefined)
      expect(others).toEqual([])
      expect(task).toMatchObject({ name, cursor: null, doneAt: null })
      expect(await engine.store.tasks.get(name)).toEqual(task)
    })

    it('gives an expired lease to one of many who ask, with the cursor of the holder before', async () => {
      const { tasks } = engine.store
      const name = mint('task')
      await lease(name, 'first')
      expect(await tasks.advance(name, 'first', 'item 100')).toBe(true)
      await engine.advance(31_000)
      const leased = await Promise.all(times(8, (n) => lease(name, `token-${n}`)))
      expect(leased.filter((one) => one !== undefined)).toMatchObject([{ cursor: 'item 100' }])
      for (const late of [
        tasks.advance(name, 'first', 'item 200'),
        tasks.renew(name, 'first'),
        tasks.done(name, 'first'),
      ])
        expect(await late).toBe(false)
      await tasks.release(name, 'first')
      expect(await tasks.get(name)).toMatchObject({
        cursor: 'item 100',
        doneAt: null,
        lease: { token: expect.stringMatching(/^token/) },
      })
    })

    it('keeps the lease while it is renewed', async () => {
      const { tasks } = engine.store
      const name = mint('task')
      await lease(name, 'holder')
      for (const renew of [() => tasks.renew(name, 'holder'), () => tasks.advance(name, 'holder', 'a')]) {
        await engine.advance(20_000)
        expect(await renew()).toBe(true)
      }
      await engine.advance(20_000)
      expect(await lease(name, 'other')).toBeUndefined()
    })

    it('is due again so long after it was done, from its beginning', async () => {
      const { tasks } = engine.store
      const name = mint('task')
      await lease(name, 'first')
      await tasks.advance(name, 'first', 'the last item')
      expect(await tasks.done(name, 'first')).toBe(true)
      expect(await tasks.get(name)).toMatchObject({ cursor: null, lease: null, doneAt: expect.any(Number) })
      await engine.advance(everyMs - 60_000)
      expect(await lease(name, 'early')).toBeUndefined()
      await engine.advance(61_000)
      expect(await lease(name, 'second')).toMatchObject({ cursor: null })
    })

    it('that was given back is had at once, where it stopped', async () => {
      const { tasks } = engine.store
      const name = mint('task')
      await lease(name, 'first')
      await tasks.advance(name, 'first', 'item 7')
      await tasks.release(name, 'first')
      expect(await lease(name, 'second')).toMatchObject({ cursor: 'item 7', lease: { token: 'second' } })
    })
  })
