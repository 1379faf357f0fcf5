import { setTimeout as pause } from 'node:timers/promises'
import { createKafka } from '@cairn/adapters/message-bus/kafka/client'
import { objectEventsTopic } from '@cairn/contracts/events'
import { seededRandom } from '@cairn/testing/seeded-random'
import { untilRead } from '../files/file-load.ts'
import { bring } from '../files/file-plan.ts'
import { slowPut } from '../files/slow-put.ts'
import { type Scene, spread, type Tried } from './scene.ts'

const filesEach = 15
const hintsEach = 3
/** R4: time in which a file must be read, with or without an object event. */
const readWithinMs = 60_000
const rounds = 3
const putsPerRound = 5
const putMs = 4_000
const downMs = 1_500

const namesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${prefix}-${number}.md`)

const bytesOf = async (seed: number, sentences = 30) =>
  (await bring('md', { is: 'sound', seed, sentences, scans: 'none' })).bytes

/**
 * Uploads files to their upload URLs and sends object events with `notify`; resolves to the median and maximum time
 * until a file was read, and to the faults.
 */
const bringAll = async ({ stores, place, seed }: Scene, prefix: string, notify: (key: string) => Promise<void>) => {
  const broughtAt = new Map<string, number>()
  const took: number[] = []
  const broken: string[] = []
  for (const [number, name] of namesOf(prefix, filesEach).entries()) {
    await place.client.put(name, await bytesOf(seed * 1_000 + number))
    broughtAt.set(name, performance.now())
    await notify(place.keyOf(name))
  }
  const wanted = [...broughtAt.keys()].map((name) => ({ place, name }))
  broken.push(
    ...(await untilRead(stores, wanted, readWithinMs, (name) =>
      took.push(performance.now() - (broughtAt.get(name) ?? 0)),
    )),
  )
  for (const { name } of wanted) {
    const record = await stores.store.files.byName(place.namespaceId, name)
    if (record?.state !== 'completed') broken.push(`F14: ${name} is ${record?.state} (${record?.stage})`)
  }
  if (took.some((ms) => ms > readWithinMs))
    broken.push(`R4: a file was read after ${Math.round(Math.max(...took) / 1_000)} s`)
  return { figures: spread(took), broken }
}

/** F14: sends no object event at all, then three for each file, in S3's format and on the pipeline's topic. */
export const missAndRepeatNotices = async (scene: Scene): Promise<Tried> => {
  const { engines, target } = scene.system
  const silent = await bringAll(scene, 'untold', async () => undefined)
  const kafka = createKafka({ brokers: [engines.direct['CAIRN_KAFKA_BROKERS'] ?? ''] }, undefined, {
    requestTimeoutMs: 10_000,
    retries: 5,
  })
  const producer = kafka.producer({ allowAutoTopicCreation: false })
  await producer.connect()
  try {
    const topic = (target.env['CAIRN_KAFKA_PREFIX'] ?? '') + objectEventsTopic
    const noticed = await bringAll(scene, 'noticed', async (key) => {
      // Same format as S3's and MinIO's.
      const value = JSON.stringify({
        EventName: 's3:ObjectCreated:Put',
        Records: [{ s3: { object: { key: encodeURIComponent(key) } } }],
      })
      await producer.send({ topic, acks: -1, messages: Array.from({ length: hintsEach }, () => ({ key, value })) })
    })
    return {
      figures: { 'no notices': silent.figures, 'three notices each': noticed.figures },
      broken: [...silent.broken, ...noticed.broken],
    }
  } finally {
    await producer.disconnect()
  }
}

/**
 * F14: kills the store during uploads. An upload that the store did not acknowledge must leave nothing, and can be
 * repeated.
 */
export const killStoreInUploads = async ({ system, stores, place, seed, say }: Scene): Promise<Tried> => {
  const random = seededRandom(seed)
  const broken: string[] = []
  let cut = 0
  for (let round = 0; round < rounds; round += 1) {
    const names = namesOf(`cut-${round}`, putsPerRound)
    const puts = await Promise.all(
      names.map(async (name, number) => {
        const { upload_url: url, content_type: contentType } = await place.client.grant(name)
        const bytes = await bytesOf(seed * 500 + round * putsPerRound + number, 2_000)
        return { name, bytes, answer: slowPut({ url, contentType, bytes, ms: putMs }) }
      }),
    )
    await pause(200 + random.below(putMs - 400))
    await system.engines.kill('minio')
    say(`MinIO killed in ${puts.length} uploads`)
    await pause(downMs)
    await system.engines.start('minio')
    const wanted: string[] = []
    for (const { name, bytes, answer } of puts) {
      const status = (await answer)?.status
      const object = await stores.files.head(place.keyOf(name))
      if (status === 200) wanted.push(name)
      else cut += 1
      if (status !== 200 && object)
        broken.push(
          `F14: ${name} was interrupted (${status ?? 'no answer'}), and ${object.sizeBytes} of ${bytes.length} bytes are there`,
        )
      if (status === 200 && object?.sizeBytes !== bytes.length)
        broken.push(`F14: ${name} was taken, and ${object?.sizeBytes ?? 'none'} of its bytes are there`)
    }
    for (const { name, bytes } of puts.filter(({ name }) => !wanted.includes(name))) {
      await place.client.put(name, bytes)
      wanted.push(name)
    }
    broken.push(
      ...(await untilRead(
        stores,
        wanted.map((name) => ({ place, name })),
        readWithinMs,
      )),
    )
  }
  return {
    figures: { uploads: rounds * putsPerRound, interrupted: cut },
    broken: cut === 0 ? [...broken, 'F14: no upload was interrupted'] : broken,
  }
}
