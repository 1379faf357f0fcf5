import { isAppError } from '@cairn/contracts/errors'
import type { NamespaceType } from '@cairn/domain/namespaces/record'
import { createScene, documents, mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import type { Store } from '@cairn/domain/store'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { readableOf } from './gate.fixture.ts'
import type { GatedStore } from './gate.ts'

const setUp = async () => {
  const store = stepwiseStore({ now: () => 0 })
  const [mine, theirs] = [await createScene(store), await createScene(store)]
  return { store, mine, theirs }
}

/** Returns the message of the rejection, without the requested name. */
const refusal = async (store: Store, accountId: string, name: string, type?: NamespaceType) => {
  const error = await readableOf(store, accountId)
    .namespace(name, type)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )
  if (!isAppError(error)) throw new Error('it was found')
  return JSON.parse(
    JSON.stringify({ code: error.code, message: error.message, body: error.body }).replaceAll(name, 'NAME'),
  ) as unknown
}

it("finds the account's own namespace, by name and type", async () => {
  const { store, mine } = await setUp()
  const readable = readableOf(store, mine.accountId)
  expect((await readable.namespace(mine.name)).id).toBe(mine.namespaceId)
  expect((await readable.namespace(mine.name, 'text')).id).toBe(mine.namespaceId)
  expect((await readable.namespaces()).map(({ id }) => id)).toEqual([mine.namespaceId])
})

it("answers the same for another account's namespace, one of another type, one being deleted and none", async () => {
  const { store, mine, theirs } = await setUp()
  const vector = await createScene(store, 'vector')
  const deleting = await createScene(store)
  await store.beginNamespaceDeletion(deleting.namespaceId, mint('del'), wallAt)
  const absent = await refusal(store, mine.accountId, 'never-there', 'text')
  expect(absent).toMatchObject({
    code: 'notFound',
    message: 'Text namespace "NAME" not found or not owned by this account',
  })
  expect(await refusal(store, mine.accountId, theirs.name, 'text')).toEqual(absent)
  expect(await refusal(store, vector.accountId, vector.name, 'text')).toEqual(absent)
  expect(await refusal(store, deleting.accountId, deleting.name, 'text')).toEqual(absent)
})

it.each(['', '..', 'a/b', 'a\u0000', 'x'.repeat(129)])('does not look for what can not be a name: %j', async (name) => {
  const { store, mine } = await setUp()
  const looks: string[] = []
  const watched = {
    ...store,
    namespaces: {
      ...store.namespaces,
      byName: async (_: string, sought: string) => void looks.push(sought) as undefined,
    },
  }
  await expect(readableOf(watched, mine.accountId).namespace(name)).rejects.toMatchObject({ code: 'notFound' })
  expect(looks).toEqual([])
})

it('returns no namespace, upload, deletion or file of another account by id', async () => {
  const { store, mine, theirs } = await setUp()
  const readable = readableOf(store, mine.accountId)
  const { id: uploadId } = await theirs.accepted(documents(['a']))
  const own = await readable.namespace(mine.name)
  expect(await readable.namespaceById(theirs.namespaceId)).toBeUndefined()
  expect((await readable.namespaceById(mine.namespaceId))?.name).toBe(mine.name)
  await expect(readable.upload(own, uploadId)).rejects.toMatchObject({ code: 'notFound' })
  const namespace = await readableOf(store, theirs.accountId).namespace(theirs.name)
  expect((await readableOf(store, theirs.accountId).upload(namespace, uploadId)).id).toBe(uploadId)
})

it('makes ids that the compiler tells from others', async () => {
  const { store, mine } = await setUp()
  const gated: GatedStore = store
  const { id } = await readableOf(store, mine.accountId).namespace(mine.name)
  expect(await gated.items.page(id, { limit: 1 })).toEqual([])
  // @ts-expect-error an id from elsewhere
  expect(await gated.items.page(mine.namespaceId, { limit: 1 })).toEqual([])
})
