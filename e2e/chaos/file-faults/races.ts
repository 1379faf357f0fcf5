import { setTimeout as pause } from 'node:timers/promises'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { objectKey } from '@cairn/domain/files/object-keys'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'
import { fileClient } from '../files/file-client.ts'
import { untilRead } from '../files/file-load.ts'
import { bring } from '../files/file-plan.ts'
import { objectsLeft, remakeNamespace } from '../files/remake-namespace.ts'
import { shortAddress } from '../files/short-address.ts'
import { slowPut } from '../files/slow-put.ts'
import type { Scene, Tried } from './scene.ts'

const eachKind = 25
const together = 8
const addressSeconds = 25
const minPutMs = 1_000
const morePutMs = 3_000
/**
 * Maximum delay of a deletion after the last byte of the PUT, in milliseconds: by then, the object may be noticed or
 * read.
 */
const lateMs = 4_000
/** Time for a late object of a deleted file to be removed. */
const goneWithinMs = 90_000
const freeWithinMs = 240_000
const readWithinMs = 120_000
const tryEveryMs = 1_000

const bytesOf = async (random: Random) =>
  (await bring('md', { is: 'sound', seed: random.below(2 ** 31), sentences: 60, scans: 'none' })).bytes

type Race = { readonly random: Random; readonly number: number }

/**
 * Starts a slow PUT and calls `remove` at some moment during or after it. Resolves to the result of `remove` and to the
 * promise of the PUT.
 */
const raceOf = async (
  { random }: Race,
  { url, contentType }: { readonly url: string; readonly contentType: string },
  remove: () => Promise<string>,
) => {
  const ms = minPutMs + random.below(morePutMs)
  const putting = slowPut({ url, contentType, bytes: await bytesOf(random), ms })
  await pause(random.below(ms + lateMs))
  const said = await remove()
  return { said, putting }
}

/**
 * Deletes the file during or after its PUT. A third of the files stay deleted; the others are uploaded again during the
 * first PUT or after it.
 */
const raceWithFile = async ({ stores, place }: Scene, race: Race) => {
  const name = `raced-${race.number}.md`
  const { upload_url: url, content_type: contentType } = await place.client.grant(name)
  const { said, putting } = await raceOf(race, { url, contentType }, () => place.client.remove(name))
  const next = race.number % 3
  if (next === 1) await place.client.send(name, await bytesOf(race.random))
  const status = (await putting)?.status ?? 0
  if (next === 2) await place.client.put(name, await bytesOf(race.random))
  const again = next > 0
  if (again) return { again, said, status, broken: await untilRead(stores, [{ place, name }], readWithinMs) }
  const left = async () => {
    const listed = (await place.client.list()).some(({ file_name }) => file_name === name)
    const [object, record] = [
      await stores.files.head(place.keyOf(name)),
      await stores.store.files.byName(place.namespaceId, name),
    ]
    return [
      ...(object ? ['its object'] : []),
      ...(record ? ['its record'] : []),
      ...(listed ? ['its name in the list'] : []),
    ]
  }
  const until = performance.now() + goneWithinMs
  let found = await left()
  for (; found.length > 0 && performance.now() < until; found = await left()) await pause(tryEveryMs)
  const broken = found.map((what) => `I5: of ${name}, deleted while its PUT was under way, ${what} is left`)
  return { again, said, status, broken }
}

/** Deletes the namespace during or after a PUT and recreates it; half of the races upload the file again. */
const raceWithNamespace = async ({ system, stores, account }: Scene, race: Race) => {
  const { store, files } = stores
  const namespace = `raced-${race.number}`
  const api = system.client(account, 1_000 + race.number)
  try {
    await api.createNamespace(namespace)
    const before = await store.namespaces.byName(account.accountId, namespace)
    if (!before) throw new Error(`${namespace} could not be made`)
    const address = await shortAddress(stores, before, 'one.md', addressSeconds)
    const { said, putting } = await raceOf(race, address, async () =>
      String((await api.deleteNamespace(namespace)).status),
    )
    const answer = await putting
    const until = performance.now() + freeWithinMs
    const status = answer?.status ?? 0
    if (!(await remakeNamespace(api, namespace, until))) {
      const broken = [`I5: the name ${namespace} is not free ${freeWithinMs / 1_000} s after its deletion`]
      return { again: false, said, status, broken }
    }
    const client = fileClient(system.cluster.url(), account, namespace)
    const listed = await client.list()
    const objects = await objectsLeft(files, before.id, until)
    const broken = [
      ...listed.map(({ file_name }) => `I5: ${file_name} is listed in ${namespace}, which was recreated`),
      ...objects.map(({ key }) => `I5: the object ${key} is left of a namespace that was deleted`),
    ]
    const again = race.number % 2 === 0
    if (again) {
      await client.send('one.md', await bytesOf(race.random))
      const after = await store.namespaces.byName(account.accountId, namespace)
      if (!after) throw new Error(`${namespace} is gone again`)
      const place = { client, namespaceId: after.id, keyOf: (name: string) => objectKey(files, after, name) }
      broken.push(...(await untilRead(stores, [{ place, name: 'one.md' }], readWithinMs)))
    }
    return { again, said, status, broken }
  } finally {
    api.close()
  }
}

/**
 * F9: deletes a file or its namespace at a random moment during or shortly after a slow PUT; most races then reuse the
 * name.
 */
export const raceDeletions = async (scene: Scene): Promise<Tried> => {
  const races = Array.from({ length: eachKind }, (_, number) => ({
    number,
    random: seededRandom(scene.seed * 100 + number),
  }))
  const [files, namespaces] = await Promise.all([
    atOnce(together, races, (race) => raceWithFile(scene, race)),
    // Each race waits until its upload URL has expired, plus a minute. All run at once, so the total wait is that of
    // one.
    atOnce(eachKind, races, (race) => raceWithNamespace(scene, race)),
  ])
  const all = [...files, ...namespaces]
  return {
    figures: {
      'of files': files.length,
      'of namespaces': namespaces.length,
      'PUTs the store took': all.filter(({ status }) => status === 200).length,
      'names brought again': all.filter(({ again }) => again).length,
      'deletions that found the file': files.filter(({ said }) => said === 'deleted').length,
    },
    broken: all.flatMap(({ broken }) => broken),
  }
}
