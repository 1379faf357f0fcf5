import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@cairn/testing/seeded-random'
import type { Account } from '../load.ts'
import type { Stores } from '../open-stores.ts'
import type { System } from '../system.ts'
import { fileClient } from './file-client.ts'
import { bring } from './file-plan.ts'
import { objectsLeft, remakeNamespace } from './remake-namespace.ts'
import { shortAddress } from './short-address.ts'
import { slowPut } from './slow-put.ts'

const namespace = 'drafts'
const addressSeconds = 20
const putMs = 6_000
/** Longer than the time by which a dead request can delay the deletion. */
const freeWithinMs = 180_000

/**
 * Deletes a namespace with files at a random moment of an upload and recreates it. Resolves to a fault for everything
 * left of the old namespace.
 */
export const replaceDrafts = async (
  { cluster, client }: Pick<System, 'cluster' | 'client'>,
  stores: Stores,
  account: Account,
  number: number,
  random: Random,
): Promise<readonly string[]> => {
  const { store, files } = stores
  const { accountId } = account
  const api = client(account, 200 + number)
  const own = fileClient(cluster.url(), account, namespace)
  const sentences = 20
  const bytesOf = async () =>
    (await bring('md', { is: 'sound', seed: random.below(2 ** 31), sentences, scans: 'none' })).bytes
  try {
    await api.createNamespace(namespace)
    const before = await store.namespaces.byName(accountId, namespace)
    if (!before) throw new Error(`${namespace} is not there`)
    for (const name of ['one.md', 'two.md']) await own.send(name, await bytesOf())
    const { url, contentType } = await shortAddress(stores, before, 'three.md', addressSeconds)
    const putting = slowPut({ url, bytes: await bytesOf(), contentType, ms: putMs })
    await pause(random.below(putMs))
    const gone = await api.deleteNamespace(namespace)
    if (gone.status !== 202) throw new Error(`deletion of ${namespace}: ${gone.status}`)
    const put = await putting
    const until = performance.now() + freeWithinMs
    if (!(await remakeNamespace(api, namespace, until)))
      throw new Error(`the name ${namespace} is not free ${freeWithinMs / 1_000} s after its deletion`)
    const objects = await objectsLeft(files, before.id, until)
    const left = [
      ...objects.map(({ key }) => `the object ${key}`),
      ...(await own.list()).map(({ file_name }) => `the listed file ${file_name}`),
    ]
    // The interrupted upload's name must be usable in the new namespace.
    await own.send('three.md', await bytesOf())
    return left.map(
      (what) =>
        `I5: ${what} is left of ${namespace}, deleted while a PUT was under way (answered ${put?.status ?? 'not at all'})`,
    )
  } finally {
    api.close()
  }
}
