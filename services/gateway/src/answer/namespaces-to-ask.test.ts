import { limits } from '@cairn/contracts/limits'
import type { Namespace, NamespaceType } from '@cairn/domain/namespaces/record'
import type { Store } from '@cairn/domain/store'
import { expect, it } from 'vitest'
import { readableOf } from '../gate.fixture.ts'
import { namespacesToAsk } from './namespaces-to-ask.ts'

const namespace = (name: string, type: NamespaceType = 'text') => ({ name, type, state: 'active' }) as Namespace
const texts = (count: number) => Array.from({ length: count }, (_, index) => namespace(`notes-${index}`))
const asked = async (owned: readonly Namespace[], names?: readonly string[]) => {
  const namespaces = {
    ofAccount: async () => owned,
    byName: async (_: string, name: string) => owned.find((one) => one.name === name),
  }
  const found = await namespacesToAsk(readableOf({ namespaces } as unknown as Store, 'a'), names)
  return found.map(({ name }) => name)
}

it.each([1, limits.namespacesUnnamed - 1, limits.namespacesUnnamed])(
  'asks all of %i text namespaces',
  async (count) => {
    expect(await asked([...texts(count), namespace('points', 'vector')])).toHaveLength(count)
  },
)

it('asks for names where there are more, and takes them', async () => {
  const owned = texts(limits.namespacesUnnamed + 1)
  await expect(asked(owned)).rejects.toMatchObject({
    code: 'invalid',
    message: 'namespaces must name those to ask: there are 21 text namespaces, and without names at most 20 are asked',
  })
  const names = owned.map(({ name }) => name)
  expect(await asked(owned, [...names, ...names])).toEqual(names)
})

it('refuses an account without a text namespace, a missing one, and one of vectors', async () => {
  const owned = [namespace('points', 'vector')]
  await expect(asked(owned)).rejects.toMatchObject({ code: 'notFound' })
  await expect(asked(owned, ['notes'])).rejects.toMatchObject({ code: 'notFound' })
  await expect(asked([...owned, ...texts(1)], ['notes-0', 'points'])).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('"points" is not text-based'),
  })
})
