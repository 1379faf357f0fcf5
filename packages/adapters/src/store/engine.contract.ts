import { matches, withChange } from '@cairn/domain/items/documents'
import type { Change, Condition, Operation, Step, Where } from '@cairn/domain/ports/store'
import { seededRandom } from '@cairn/testing/seeded-random'
import { expect, it } from 'vitest'

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/**
 * Contract of every engine of the record store: how a step is executed, one behavior per test. `open` returns the
 * engine of an empty store. The protocol, which uses the engine, has its own, longer suite (`storeContract`).
 */
export const engineContract = (open: () => Promise<(step: Step) => unknown>): void => {
  const opened = async () => {
    const execute = await open()
    return async (operation: Operation) => execute({ ...operation, step: 'test' })
  }

  it('has a time that only moves forward', async () => {
    const run = await opened()
    const read: unknown[] = []
    for (let left = 5; left > 0; left -= 1) read.push(await run({ op: 'now' }))
    expect(read).toEqual((read as number[]).toSorted((a, b) => a - b))
    expect(read[0]).toBeGreaterThan(0)
  })

  it('gets documents in the order of the keys, and undefined for missing ones', async () => {
    const run = await opened()
    const probes = ['a', 'b', 'c'].map((id) => ({ id, raw: id }))
    await run({ op: 'insert', in: 'modelProbes', documents: probes })
    expect(await run({ op: 'get', in: 'modelProbes', keys: [['c'], ['x'], ['a']] })).toEqual([
      probes[2],
      undefined,
      probes[0],
    ])
    expect(await run({ op: 'get', in: 'modelProbes', keys: [] })).toEqual([])
  })

  it('finds, counts and sums by indexed fields, from either end, up to a limit', async () => {
    const run = await opened()
    const files = times(9, (index) => ({
      id: `f${index}`,
      namespaceId: index < 6 ? 'n' : 'm',
      name: `name ${8 - index}`,
      accountId: 'a',
      ...(index === 3 ? {} : { bytes: index === 4 ? null : index }),
      other: 'long',
    }))
    await run({ op: 'insert', in: 'files', documents: files })
    const where = { namespaceId: 'n', name: { gt: 'name 3' } }
    const found = { op: 'find', in: 'files', where, order: ['name'], limit: 3 } as const
    const idsOf = async (operation: Operation) => ((await run(operation)) as { id: string }[]).map(({ id }) => id)
    expect(await idsOf(found)).toEqual(['f4', 'f3', 'f2'])
    expect(await idsOf({ ...found, descending: true, only: ['id'] })).toEqual(['f0', 'f1', 'f2'])
    expect(await idsOf({ ...found, where: { ...where, name: { gt: 'name 3', lte: 'name 5' } } })).toEqual(['f4', 'f3'])
    expect(await run({ op: 'count', in: 'files', where })).toBe(5)
    expect(await run({ op: 'count', in: 'files', where: { namespaceId: 'nobody' } })).toBe(0)
    expect(await run({ op: 'sum', in: 'files', field: 'bytes', where: { accountId: 'a' } })).toBe(29)
    expect(await run({ op: 'sum', in: 'files', field: 'bytes', where: { accountId: 'nobody' } })).toBe(0)
  })

  it('keeps every unique field, of documents that are inserted together as well', async () => {
    const run = await opened()
    const namespace = (id: string, name: string) => ({ id, accountId: 'a', name, state: 'active' })
    const documents = [namespace('1', 'x'), namespace('2', 'x'), namespace('1', 'y'), namespace('3', 'y')]
    expect(await run({ op: 'insert', in: 'namespaces', documents })).toEqual([true, false, false, true])
    expect(await run({ op: 'get', in: 'namespaces', keys: [['1'], ['2'], ['3']] })).toEqual([
      documents[0],
      undefined,
      documents[3],
    ])
  })

  it('removes documents that meet the condition, and returns their number', async () => {
    const run = await opened()
    await run({ op: 'insert', in: 'modelProbes', documents: ['a', 'b', 'c', 'd'].map((id) => ({ id, raw: id })) })
    const removal = (id: string, where: Where = {}) => ({ key: [id], where })
    const some = [removal('a', { raw: 'a' }), removal('b', { raw: 'other' }), removal('x')]
    expect(await run({ op: 'remove', in: 'modelProbes', removals: some })).toEqual([true, false, false])
    const all = [removal('b'), removal('c'), removal('a')]
    const removed = (await run({ op: 'remove', in: 'modelProbes', removals: all, blind: true })) as number | boolean[]
    expect(typeof removed === 'number' ? removed : removed.filter(Boolean).length).toBe(2)
    expect(await run({ op: 'count', in: 'modelProbes', where: { id: { gt: '' } } })).toBe(1)
  })

  it('inserts many at once, and returns for each whether its key was free', async () => {
    const run = await opened()
    const probes = (from: number) =>
      times(40, (index) => ({ id: `d${String(from + index).padStart(3, '0')}`, raw: `from ${from}` }))
    const insert = (from: number) =>
      run({ op: 'insert', in: 'modelProbes', documents: probes(from) }) as Promise<boolean[]>
    expect(await insert(0)).toEqual(times(40, () => true))
    expect(await insert(20)).toEqual(times(40, (index) => index >= 20))
    const [both, others] = await Promise.all([insert(100), insert(100)])
    expect(both.map((one, index) => Number(one) + Number(others[index]))).toEqual(times(40, () => 1))
  })

  it('applies every kind of change under every kind of condition', async () => {
    const run = await opened()
    const random = seededRandom(11)
    const values = [null, 0, 7, 'text', true, {}, { c: 1 }, { c: { d: 'x' } }, ['p'], ['p', 'q', 'p'], []]
    const paths = ['a', 'a.c', 'a.c.d', 'b', 'b.c', 'e']
    const conditions: Condition[] = [
      null,
      7,
      'text',
      'x',
      { ne: null },
      { ne: 7 },
      { lte: 7 },
      { lt: 7 },
      { gt: 'a' },
      { gt: 0, lte: 9 },
    ]
    const some = (pick: (path: string) => unknown) => {
      const [path] = random.shuffle(paths)
      return random.chance(0.5) && path !== undefined ? { [path]: pick(path) } : {}
    }
    const differsOnOnePath = ({ set = {}, unset = [], inc = {}, max = {}, push = {}, pull = {} }: Change) => {
      const all = [set, inc, max, push, pull].flatMap((part) => Object.keys(part)).concat(unset)
      return all.every((path, index) =>
        all.every((other, position) => position === index || !`${path}.`.startsWith(`${other}.`)),
      )
    }
    const isList = (value: unknown): boolean =>
      Array.isArray(value) || (typeof value === 'object' && value !== null && Object.values(value).some(isList))
    const rounds: {
      readonly update: { readonly key: string[]; readonly where: Where; readonly change: Change }
      readonly document: object
    }[] = []
    let held = 0
    for (let round = 0; round < 150; round += 1) {
      const id = `d${round}`
      const document = {
        id,
        ...Object.fromEntries(
          ['a', 'b', 'e'].flatMap((name) => (random.chance(0.8) ? [[name, random.pick(values)]] : [])),
        ),
        ...(random.chance(0.5) ? { m: random.below(9) } : {}),
      }
      const change = {
        set: some(() => random.pick(values)),
        unset: Object.keys(some(() => 0)),
        inc: some(() => 2),
        max: random.chance(0.3) ? { m: random.below(9) } : {},
        push: some(() => ['q', 'r']),
        pull: some(() => ['p']),
      } as Change
      // Conditions never test a list. MongoDB and the protocol refuse two changes of one path.
      const where = isList(document) ? {} : (some(() => random.pick(conditions)) as Record<string, Condition>)
      if (!differsOnOnePath(change)) continue
      await run({ op: 'insert', in: 'modelProbes', documents: [document] })
      const updates = [{ key: [id], where, change }]
      const [after] = (await run({ op: 'update', in: 'modelProbes', updates })) as (object | undefined)[]
      const expected = matches(document, where) ? withChange(document, change) : undefined
      expect({ document, where, change, after }).toEqual({ document, where, change, after: expected })
      expect(await run({ op: 'get', in: 'modelProbes', keys: [[id]] })).toEqual([expected ?? document])
      held += expected ? 1 : 0
      rounds.push({ update: { key: [`${id} again`], where, change }, document: { ...document, id: `${id} again` } })
    }
    expect(held).toBeGreaterThan(50)

    // Inserts all documents again under other keys, and sends all updates again in one blind step.
    await run({
      op: 'insert',
      in: 'modelProbes',
      documents: rounds.map(({ document }) => document),
    })
    await run({
      op: 'update',
      in: 'modelProbes',
      updates: rounds.map(({ update }) => update),
      blind: true,
    })
    const keys = rounds.map(({ update }) => update.key)
    const expected = rounds.map(({ document, update }) =>
      matches(document, update.where) ? withChange(document, update.change) : document,
    )
    expect(await run({ op: 'get', in: 'modelProbes', keys })).toEqual(expected)
  })
}
