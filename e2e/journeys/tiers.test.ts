import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@cairn/contracts/api/operations'
import { afterAll, expect, it } from 'vitest'
import { type Client, formOf } from '../client.ts'
import { describeOn } from '../describe-on.ts'
import { createNamespace, freshName, listed, removeNamespace, upload, uploadVectors, useStandalone } from '../story.ts'

const callers = 64
const everyone = <T>(call: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: callers }, (_, turn) => call(turn)))

const countOf = (answers: readonly { readonly status: number }[], status: number) =>
  answers.filter((one) => one.status === status).length

const text = 'A document that is long enough.'
const uploadOne = (api: Client, namespace: string, id: string) =>
  api.any(operations.uploadDocuments, { params: { namespace_name: namespace }, body: { documents: [{ id, text }] } })

describeOn(['standalone'], 'tiers (with a tiers file of our own)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-e2e-tiers-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const tiersFile = join(folder, 'tiers.json')
  const tiers = {
    tiny: { namespaces: 5, documents: 50, vectors: 20, requests: null },
    light: { namespaces: 5, documents: 50, vectors: 20, requests: null, bytes: 1_000, openUploads: 2 },
    brief: { namespaces: 5, documents: 50, vectors: 20, requests: 20 },
  }
  writeFileSync(tiersFile, JSON.stringify(tiers))
  const story = useStandalone({ env: { CAIRN_TIERS_FILE: tiersFile } })

  it('stop at exactly so many namespaces, however many callers there are, and go on after a deletion', async () => {
    const { api } = await story.member({ tier: 'tiny' })
    const answers = await everyone(() =>
      api.any(operations.createNamespace, { body: { namespace_name: freshName(), type: 'text' } }),
    )
    expect([countOf(answers, 201), countOf(answers, 403)]).toEqual([5, callers - 5])
    const refused = answers.find(({ status }) => status === 403)?.body
    expect(refused).toMatchObject({ details: { current_count: 5, tier_limit: 5, tier: 'tiny' } })
    expect(refused?.['message']).toMatch(/limit of the tiny tier/)
    const names = (await listed(api)).map(({ namespace_name: name }) => name)
    expect(names).toHaveLength(5)
    await removeNamespace(api, names[0] ?? '')
    await api.call(operations.createNamespace, { body: { namespace_name: freshName(), type: 'text' } }, 201)
    await api.call(operations.createNamespace, { body: { namespace_name: freshName(), type: 'text' } }, 403)
  })

  it('stop at exactly so many documents over all namespaces, however many callers there are', async () => {
    const { accountId, api } = await story.member({ tier: 'tiny' })
    const names = [await createNamespace(api), await createNamespace(api)]
    const answers = await everyone((turn) => uploadOne(api, names[turn % 2] ?? '', `d${turn}`))
    expect([countOf(answers, 202), countOf(answers, 403)]).toEqual([50, callers - 50])
    const refused = answers.find(({ status }) => status === 403)?.body
    expect(refused).toMatchObject({ details: { tier_limit: 50, tier: 'tiny', documents_attempted: 1 } })
    const usage = await story.admin.sdk.admin.accounts.usage(accountId)
    expect(usage.documents).toEqual({ used: 50, limit: 50 })
    expect((await listed(api)).reduce((sum, { item_count: count }) => sum + count, 0)).toBe(50)
  })

  it('take no part of a batch that would pass the limit, but a replacement of what is there', async () => {
    const { api } = await story.member({ tier: 'tiny' })
    const name = await createNamespace(api)
    const params = { namespace_name: name }
    const batch = (from: number, count: number) =>
      Array.from({ length: count }, (_, turn) => ({ id: `d${from + turn}`, text }))
    await upload(api, name, batch(0, 48))
    const refused = await api.call(operations.uploadDocuments, { params, body: { documents: batch(100, 3) } }, 403)
    expect(refused.body.details).toEqual({ current_count: 48, tier_limit: 50, tier: 'tiny', documents_attempted: 3 })
    await upload(api, name, batch(0, 48))
    await upload(api, name, batch(46, 4))
    expect(await listed(api)).toMatchObject([{ item_count: 50 }])
    await api.call(operations.uploadDocuments, { params, body: { documents: batch(0, 51) } }, 403)
    expect(await api.sdk.documents.delete(name, ['d0'])).toMatchObject({ status: 'success' })
    await upload(api, name, batch(100, 1))
    await api.call(operations.uploadDocuments, { params, body: { documents: batch(101, 1) } }, 403)
  })

  it('count vectors apart from documents', async () => {
    const { api } = await story.member({ tier: 'tiny' })
    const name = await createNamespace(api, { type: 'vector', vector_dimension: 2 })
    const params = { namespace_name: name }
    const vectors = Array.from({ length: 20 }, (_, turn) => ({ id: turn, vector: [1, turn] }))
    await uploadVectors(api, name, vectors)
    const refused = await api.call(
      operations.uploadVectors,
      { params, body: { vectors: [{ id: 'more', vector: [1, 1] }] } },
      403,
    )
    expect(refused.body.details).toEqual({ current_count: 20, tier_limit: 20, tier: 'tiny', vectors_attempted: 1 })
    await upload(api, await createNamespace(api), [{ id: 'a', text }])
  })

  it('stop at exactly so many bytes of files, however many callers there are, and go on after a deletion', async () => {
    const { accountId, api } = await story.member({ tier: 'light' })
    const params = { namespace_name: await createNamespace(api) }
    const send = async (name: string) =>
      api.any(operations.uploadFile, { params, ...(await formOf(name, `${name} `.padEnd(100, 'x'))) })
    const answers = await everyone((turn) => send(`f${turn}.txt`))
    expect([countOf(answers, 200), countOf(answers, 403)]).toEqual([10, callers - 10])
    const refused = answers.find(({ status }) => status === 403)?.body
    expect(refused?.['error']).toMatch(
      /^Storage limit of the light tier reached: 1,000 of 1,000 bytes are stored or reserved, and 1/,
    )
    const used = async () => (await story.admin.sdk.admin.accounts.usage(accountId)).bytes
    expect(await used()).toEqual({ used: 1_000, reserved: 0, limit: 1_000 })
    const { files } = await api.sdk.files.list(params.namespace_name)
    expect(files).toHaveLength(10)
    await api.call(operations.deleteFiles, { params, body: { file_name: files[0]?.file_name } }, 200)
    expect(await used()).toEqual({ used: 900, reserved: 0, limit: 1_000 })
    const address = (file_name: string, file_size?: number) =>
      api.any(operations.createUploadUrl, { params, body: { file_name, file_size } })
    expect((await address('large.txt', 101)).status).toBe(403)
    const open = await everyone((turn) => address(`open${turn}.txt`))
    expect([countOf(open, 200), countOf(open, 403)]).toEqual([2, callers - 2])
    expect((await address('rest.txt', 100)).status).toBe(200)
    expect((await send('one-more.txt')).status).toBe(403)
  })

  it('stop at exactly so many requests, however many callers there are, and say how many and for how long', async () => {
    const { accountId, api } = await story.member({ tier: 'brief' })
    const answers = await everyone(() => api.any(operations.listNamespaces))
    expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([20, callers - 20])
    const left = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]))
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, turn) => turn))
    const refused = await api.call(operations.search, { body: { query: 'x', namespaces: ['y'] } }, 429)
    expect(refused.body).toMatchObject({ current_usage: 20, limit: 20 })
    expect(refused.body.message).toMatch(/Brief plan \(20 requests\).*usage of 20/)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/)
    expect(refused.headers.get('ratelimit-policy')).toMatch(/^"requests";q=20;w=\d+$/)
    const usage = await story.admin.sdk.admin.accounts.usage(accountId)
    expect(usage.requests).toEqual({ used: 20, limit: 20 })
  })

  it('count refusals past the 403, and none before it', async () => {
    const { accountId, api, apiKey } = await story.member({ tier: 'brief' })
    const reader = await story.key(accountId, { scopes: ['read'] })
    await api.call(operations.getDocuments, { params: { namespace_name: 'not-there' }, body: { ids: [] } }, 404)
    await api.call(operations.createNamespace, { raw: '{' }, 400)
    await reader.api.call(operations.createNamespace, { body: {} }, 403)
    await story.visitor.with({ 'x-api-key': `${apiKey}x` }).call(operations.listNamespaces, {}, 401)
    const { headers } = await api.call(operations.listNamespaces, {}, 200)
    expect(headers.get('ratelimit')).toMatch(/r=17;/)
  })
})
