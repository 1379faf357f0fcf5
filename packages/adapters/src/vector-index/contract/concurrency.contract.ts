import { expect } from 'vitest'
import { itemsOf, point, type Scene, space } from './points.fixture.ts'

/** Contract of concurrent calls and of closing. */
export const concurrencyContract = ({ of, open, openIndex, search, listAll }: Scene): void => {
  of('concurrency', 'loses no point among many concurrent calls', async () => {
    const index = await openIndex()
    const calls = Array.from({ length: 60 }, (_, call) =>
      index.upsert(
        space,
        Array.from({ length: 5 }, (_, i) =>
          point({ namespaceId: `n${call % 3}`, itemId: `${call}-${i}`, words: ['w'] }),
        ),
      ),
    )
    await Promise.all(calls)
    const namespaceIds = ['n0', 'n1', 'n2']
    expect(await listAll(index, namespaceIds)).toHaveLength(300)
    expect(await Promise.all(namespaceIds.map((id) => index.count(space, id)))).toEqual([100, 100, 100])
    expect(await search(index, { namespaceIds, limit: 1_000, filter: { terms: [], words: ['w'] } })).toHaveLength(300)
  })

  of('concurrency', 'keeps one point of an address that is written from many sides', async () => {
    const index = await openIndex()
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => index.upsert(space, [point({ vector: [1, i, 0], words: [`from${i}`] })])),
    )
    expect(await index.count(space, 'ns')).toBe(1)
    const passes = await Promise.all(
      Array.from({ length: 30 }, (_, i) => search(index, { filter: { terms: [], words: [`from${i}`] } })),
    )
    expect(passes.flat()).toHaveLength(1)
  })

  of('concurrency', 'returns no point that fails the filter while points are written and removed', async () => {
    const index = await openIndex(Array.from({ length: 400 }, (_, i) => point({ itemId: `red ${i}`, words: ['red'] })))
    let goesOn = true
    const replacing = (async () => {
      for (let i = 0; i < 100; i++) {
        const [from, to] = i % 2 === 0 ? ['red', 'blue'] : ['blue', 'red']
        const items = Array.from({ length: 20 }, (_, k) => `${(Math.floor(i / 2) * 20 + k) % 400}`)
        await Promise.all(
          items.map((item) =>
            index.removeVersions(space, [{ namespaceId: 'ns', itemId: `${from} ${item}`, version: 'v1' }]),
          ),
        )
        await index.upsert(
          space,
          items.map((item) => point({ itemId: `${to} ${item}`, words: [to!] })),
        )
      }
      goesOn = false
    })()
    const found = new Set<string>()
    while (goesOn) {
      for (const word of ['red', 'blue']) {
        const filter = { terms: [], words: [word] }
        const listed = await index.list(space, { namespaceIds: ['ns'], filter, limit: 1_000 })
        const hits = await search(index, { filter, limit: 300 })
        for (const item of itemsOf([...hits, ...listed])) found.add(`${item.split(' ')[0]} passed ${word}`)
      }
    }
    await replacing
    expect([...found].sort()).toEqual(['blue passed blue', 'red passed red'])
  })

  of('concurrency', 'shows every resolved write to every later search, during other writes', async () => {
    const index = await openIndex()
    let written = 0
    const writing = (async () => {
      for (let i = 0; i < 40; i++) {
        await index.upsert(space, [point({ itemId: `${i}` })])
        written++
      }
    })()
    for (let i = 0; i < 40; i++) {
      const before = written
      expect((await search(index, { limit: 100 })).length).toBeGreaterThanOrEqual(before)
    }
    await writing
    expect(await search(index, { limit: 100 })).toHaveLength(40)
  })

  of('concurrency', 'ends reads with the reason of an aborted signal, and serves others', async () => {
    const index = await openIndex([point()])
    const query = { namespaceIds: ['ns'], vector: Float32Array.of(1, 0, 0), limit: 10 }
    const words = { ...query, lexemes: Uint32Array.of(1) }
    const left = new AbortController()
    const requester = { owner: 'account', signal: left.signal }
    expect(await index.search(space, query, requester)).toHaveLength(1)
    left.abort(new Error('the client left'))
    await expect(index.search(space, query, requester)).rejects.toThrow('the client left')
    await expect(index.searchWords(space, words, requester)).rejects.toThrow('the client left')
    await expect(index.list(space, { namespaceIds: ['ns'], limit: 10 }, requester)).rejects.toThrow('the client left')
    const other = { owner: 'other', signal: new AbortController().signal }
    expect(await index.searchWords(space, words, other)).toHaveLength(1)
  })

  of('closing', 'can be closed twice, also before its first use', async () => {
    const unused = await open(0)
    await unused.close()
    await unused.close()
    const index = await open(0)
    await index.upsert(space, [point()])
    await Promise.all([index.close(), index.close()])
    await index.close()
  })

  of('closing', 'finishes calls in progress and rejects later ones', async () => {
    const index = await open(0)
    const written = index.upsert(space, [point()])
    const closed = index.close()
    await expect(written).resolves.toBeUndefined()
    await closed
    await expect(index.upsert(space, [point()])).rejects.toMatchObject({ code: 'unavailable' })
    await expect(search(index)).rejects.toMatchObject({ code: 'unavailable' })
  })
}
