import { isAppError } from '@cairn/contracts/errors'
import { createScene, mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { findNamespace } from './find-namespace.ts'

const setUp = async () => {
  const store = stepwiseStore({ now: () => 0 })
  const [mine, theirs] = [await createScene(store), await createScene(store)]
  return { store, mine, theirs }
}

/** Returns the message of the rejection, without the requested name. */
const refusal = async (...asked: Parameters<typeof findNamespace>) => {
  const error = await findNamespace(...asked).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isAppError(error)) throw new Error('it was found')
  return JSON.parse(
    JSON.stringify({ code: error.code, message: error.message, body: error.body }).replaceAll(asked[2], 'NAME'),
  ) as unknown
}

it("finds the account's own namespace, by name and type", async () => {
  const { store, mine } = await setUp()
  expect((await findNamespace(store, mine.accountId, mine.name)).id).toBe(mine.namespaceId)
  expect((await findNamespace(store, mine.accountId, mine.name, 'text')).id).toBe(mine.namespaceId)
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
  await expect(findNamespace(watched, mine.accountId, name)).rejects.toMatchObject({ code: 'notFound' })
  expect(looks).toEqual([])
})
