import { isAppError } from '@cairn/contracts/errors'
import { createScene, mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { stepwiseMetadata } from '@cairn/testing/stepwise-metadata'
import { expect, it } from 'vitest'
import { findNamespace } from './find-namespace.ts'

const setUp = async () => {
  const metadata = stepwiseMetadata({ now: () => 0 })
  const [mine, theirs] = [await createScene(metadata), await createScene(metadata)]
  return { metadata, mine, theirs }
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
  const { metadata, mine } = await setUp()
  expect((await findNamespace(metadata, mine.accountId, mine.name)).id).toBe(mine.namespaceId)
  expect((await findNamespace(metadata, mine.accountId, mine.name, 'text')).id).toBe(mine.namespaceId)
})

it("answers the same for another account's namespace, one of another type, one being deleted and none", async () => {
  const { metadata, mine, theirs } = await setUp()
  const vector = await createScene(metadata, 'vector')
  const deleting = await createScene(metadata)
  await metadata.beginNamespaceDeletion(deleting.namespaceId, mint('del'), wallAt)
  const absent = await refusal(metadata, mine.accountId, 'never-there', 'text')
  expect(absent).toMatchObject({
    code: 'notFound',
    message: 'Text namespace "NAME" not found or not owned by this account',
  })
  expect(await refusal(metadata, mine.accountId, theirs.name, 'text')).toEqual(absent)
  expect(await refusal(metadata, vector.accountId, vector.name, 'text')).toEqual(absent)
  expect(await refusal(metadata, deleting.accountId, deleting.name, 'text')).toEqual(absent)
})

it.each(['', '..', 'a/b', 'a\u0000', 'x'.repeat(129)])('does not look for what can not be a name: %j', async (name) => {
  const { metadata, mine } = await setUp()
  const looks: string[] = []
  const watched = {
    ...metadata,
    namespaces: {
      ...metadata.namespaces,
      byName: async (_: string, sought: string) => void looks.push(sought) as undefined,
    },
  }
  await expect(findNamespace(watched, mine.accountId, name)).rejects.toMatchObject({ code: 'notFound' })
  expect(looks).toEqual([])
})
