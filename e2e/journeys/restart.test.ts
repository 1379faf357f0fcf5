import { operations } from '@cairn/contracts/api/operations'
import { expect, it } from 'vitest'
import { describeOn } from '../describe-on.ts'
import {
  createNamespace,
  idsFound,
  index,
  listed,
  search,
  settled,
  upload,
  uploadVectors,
  useStandalone,
  walk,
} from '../story.ts'
import { runStandalone } from '../target.ts'

describeOn(['standalone'], 'a process of our own', () => {
  const story = useStandalone()

  const numbered = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, turn) => ({
      id: `${prefix}${turn}`,
      text: `${prefix} number ${turn} about stones.`,
      turn,
    }))

  it('keeps everything over an orderly restart', async () => {
    const { api, accountId } = await story.member()
    const [text, vector] = [
      await createNamespace(api),
      await createNamespace(api, { type: 'vector', vector_dimension: 3 }),
    ]
    await index(api, text, numbered(30, 'kept'))
    await uploadVectors(api, vector, [{ id: 'v', vector: [1, 2, 3], colour: 'red' }])
    const query = 'kept number 7 about stones'
    const before = [await listed(api), await walk(api, text, 100), (await search(api, [text], query)).results]
    const [page] = await walk(api, text, 10)
    expect(await story.target.end()).toBe(0)
    await story.target.restart()
    const after = [await listed(api), await walk(api, text, 100), (await search(api, [text], query)).results]
    const timeless = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll(/"execution_time":[\d.]+/g, '"execution_time":0')) as unknown
    expect(timeless(after)).toEqual(timeless(before))
    expect(await idsFound(api, [vector], [1, 2, 3])).toEqual(['v'])
    // A walk that began before the restart can be continued.
    const rest = api.sdk.documents.page(text, { limit: 10, next_token: page?.pagination.next_token ?? '' })
    expect(await Array.fromAsync(rest)).toHaveLength(20)
    const usage = await story.admin.sdk.admin.accounts.usage(accountId)
    expect(usage.requests.used).toBeGreaterThan(5)
    expect(usage).toMatchObject({ namespaces: { used: 2 }, documents: { used: 30 }, vectors: { used: 1 } })
  })

  it('keeps what it answered 202 to when it is killed the moment after, and finishes it', async () => {
    const { api, name } = await story.room()
    await index(api, name, numbered(20, 'old'))
    const accepted = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => upload(api, name, numbered(25, `batch${turn}-`))),
    )
    await story.target.kill()
    await story.target.restart()
    const outcomes = await Promise.all(accepted.map(({ upload_id: id }) => settled(api, name, id)))
    expect(outcomes.map(({ counts }) => counts.completed)).toEqual(accepted.map(() => 25))
    expect(await listed(api)).toMatchObject([{ item_count: 220 }])
    const ids = (await walk(api, name)).flatMap(({ items }) => items.map(({ id }) => id))
    expect(new Set(ids).size).toBe(220)
    for (const turn of [0, 7]) {
      expect(await idsFound(api, [name], `batch${turn}- number 24 about stones`, { top_k: 1 })).toEqual([
        `batch${turn}-24`,
      ])
    }
  })

  it('finishes a deletion that was accepted before it was killed', async () => {
    const { api, name } = await story.room()
    await index(api, name, numbered(100, 'gone'))
    await api.call(operations.deleteNamespace, { params: { namespace_name: name } }, 202)
    await story.target.kill()
    await story.target.restart()
    expect(await listed(api)).toEqual([])
    await expect
      .poll(
        async () =>
          (await api.any(operations.createNamespace, { body: { namespace_name: name, type: 'text' } })).status,
        {
          timeout: 30_000,
        },
      )
      .toBe(201)
    expect((await search(api, [name], 'stones')).results).toEqual([])
  })

  it('keeps its data directory to itself: a second start says who holds it, and does no harm', async () => {
    const { api } = await story.member()
    const { dataDir, pid } = story.target
    const { code, output } = await runStandalone({
      CAIRN_DATA_DIR: dataDir,
      CAIRN_EMBEDDER: 'lexical',
      PORT: '0',
    })
    expect(code).toBe(1)
    expect(output).toContain(`The data directory ${dataDir} is in use by process ${pid}`)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(await listed(api)).toEqual([])
  })

  it('says in one sentence what is wrong with its configuration, without the values', async () => {
    const secret = 'hunter2-hunter2'
    const { code, output } = await runStandalone({ CAIRN_SECRET: secret, PORT: 'eighty', CAIRN_EMBEDDER: 'magic' })
    expect(code).toBe(1)
    for (const name of ['CAIRN_SECRET', 'PORT', 'CAIRN_EMBEDDER']) expect(output).toContain(name)
    expect(output).not.toContain(secret)
    expect(output).not.toMatch(/\n\s+at /)
  })
})
