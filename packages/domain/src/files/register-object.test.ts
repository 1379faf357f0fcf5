import { memoryFiles } from '@cairn/testing/memory-files'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { defaultTiers } from '../accounts/tiers.ts'
import { createScene, mint, namespaceInput, wallAt } from '../protocol/scene.fixture.ts'
import { objectKey } from './object-keys.ts'
import type { Grant } from './record.ts'
import { registerObject } from './register-object.ts'

const setUp = async () => {
  const time = { ms: 0 }
  const store = stepwiseStore({ now: () => time.ms })
  const { accountId, namespaceId, name: namespaceName } = await createScene(store)
  const files = memoryFiles(() => wallAt)
  const name = 'a.txt'
  const key = objectKey(files, { id: namespaceId, accountId, name: namespaceName }, name)
  const open = async (
    of: Partial<Pick<Grant, 'namespaceId' | 'key' | 'expiresAt' | 'createdAt'>> = {},
  ): Promise<Grant> => {
    const grant = await store.grants.open({
      namespaceId,
      name,
      accountId,
      key,
      contentType: 'text/plain',
      expiresAt: wallAt,
      uploadId: null,
      correlationId: 'request-1',
      traceparent: null,
      createdAt: wallAt,
      ...of,
    })
    if (!grant) throw new Error('the grant was not to be had')
    return grant
  }
  const put = (text = 'text') => files.put(key, Buffer.from(text), { contentType: 'text/plain' })
  const sent: unknown[] = []
  const deps = {
    store,
    files,
    ids: { next: mint },
    clock: { now: () => wallAt },
    tiers: defaultTiers,
    send: async (...told: readonly unknown[]) => void sent.push(told),
  }
  const isThere = async () => (await files.head(key)) !== undefined
  const due = async () => (await store.grants.due(10)).map((grant) => grant.name)
  return {
    store,
    accountId,
    namespaceId,
    namespaceName,
    name,
    key,
    open,
    put,
    sent,
    deps,
    isThere,
    due,
    time,
  }
}

it('takes an object in once, however often it is noticed, and tells of it once', async () => {
  const { open, put, deps, sent, namespaceId, name } = await setUp()
  const grant = await open()
  const object = await put()
  const noticed = await Promise.all(Array.from({ length: 5 }, () => registerObject(deps, grant, object)))
  expect(noticed.map(({ outcome }) => outcome).toSorted()).toEqual(['known', 'known', 'known', 'known', 'queued'])
  const file = await deps.store.files.byName(namespaceId, name)
  expect(sent).toEqual([
    [
      { namespaceId, fileId: file?.id },
      { correlationId: 'request-1', traceparent: null },
    ],
  ])
  expect(file).toMatchObject({ idBase: name, version: expect.stringMatching(/^fver_/), object: { etag: object.etag } })
})

it('says who caused it, where that is another than who asked for the grant', async () => {
  const { open, put, deps, sent } = await setUp()
  const cause = { correlationId: 'request-2', traceparent: 'trace' }
  await registerObject(deps, await open(), await put(), { cause })
  expect(sent).toEqual([[expect.anything(), cause]])
})

it('has the store asked again after half a minute, or when it is told to', async () => {
  const { open, put, deps, due, time } = await setUp()
  await registerObject(deps, await open(), await put())
  time.ms = 29_999
  expect(await due()).toEqual([])
  time.ms = 30_000
  expect(await due()).toEqual(['a.txt'])
  await registerObject(deps, await open(), await put(), { recheckAfterMs: 100 })
  time.ms += 100
  expect(await due()).toEqual(['a.txt'])
})

it('begins a new version for other bytes', async () => {
  const { open, put, deps, sent } = await setUp()
  const grant = await open()
  await registerObject(deps, grant, await put('first'))
  expect(await registerObject(deps, grant, await put('second'))).toMatchObject({ outcome: 'queued' })
  expect(sent).toHaveLength(2)
})

it('removes what comes after the file was deleted, although the grant was open when it was read', async () => {
  const { open, put, deps, isThere, sent, store, namespaceId, name } = await setUp()
  const grant = await open()
  await store.grants.revoke(namespaceId, name)
  expect(await registerObject(deps, grant, await put())).toEqual({ outcome: 'revoked' })
  expect(await isThere()).toBe(false)
  expect(sent).toEqual([])
  expect(await store.files.byName(namespaceId, name)).toBeUndefined()
})

it('removes what comes after its namespace was deleted', async () => {
  const { open, put, deps, isThere, store, namespaceId } = await setUp()
  const grant = await open()
  await store.beginNamespaceDeletion(namespaceId, mint('del'), wallAt)
  expect(await registerObject(deps, grant, await put())).toEqual({ outcome: 'namespaceGone' })
  expect(await isThere()).toBe(false)
})

it('takes nothing in without a grant, as after the end of its namespace', async () => {
  const { open, put, deps, isThere, store, namespaceId } = await setUp()
  const grant = await open()
  await store.grants.remove(grant)
  expect(await registerObject(deps, grant, await put())).toEqual({ outcome: 'revoked' })
  expect(await isThere()).toBe(false)
  expect(await store.files.page(namespaceId, { limit: 1 })).toEqual([])
})

it('removes a late object of a namespace that was made anew under the same name, and leaves that of its heir', async () => {
  const { open, put, deps, store, accountId, namespaceId, namespaceName, name, isThere } = await setUp()
  const late = await open()
  const heir = namespaceInput(accountId)
  await store.createNamespace(heir)
  const key = objectKey(deps.files, { id: heir.id, accountId, name: namespaceName }, name)
  await open({ namespaceId: heir.id, key })
  await deps.files.put(key, Buffer.from('of the heir'), { contentType: 'text/plain' })
  await store.beginNamespaceDeletion(namespaceId, mint('del'), wallAt)
  expect(await registerObject(deps, late, await put())).toEqual({ outcome: 'namespaceGone' })
  expect(await isThere()).toBe(false)
  expect(await deps.files.head(key)).toBeDefined()
})
