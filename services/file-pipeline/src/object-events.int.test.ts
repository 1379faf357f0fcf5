import { randomBytes } from 'node:crypto'
import { s3FileStore } from '@cairn/adapters/file-store/s3'
import { notifyOfNewObjects } from '@cairn/adapters/file-store/s3-notification'
import { kafkaMessageBus } from '@cairn/adapters/message-bus/kafka'
import { createKafkaTopics } from '@cairn/adapters/message-bus/kafka/topics'
import { objectEventsTopic } from '@cairn/contracts/events'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { wallAt } from '@cairn/domain/protocol/scene.fixture'
import { describeWithEngine, type EngineSettings } from '@cairn/testing/engines'
import { expect, it, onTestFinished } from 'vitest'
import { keysIn } from './on-object-event.ts'
import { createBus, createPipelineScene } from './pipeline-scene.fixture.ts'

const heardWithin = { timeout: 30_000, interval: 50 }
const hardName = "a b/it's (1) & more + 100%41 #ü?.txt"

/**
 * Creates a pipeline on a real store that publishes to a real bus. The pipeline's clock is manual: it sweeps only when
 * a test advances the clock.
 */
const setUp = async (kafka: EngineSettings, minio: EngineSettings, objectEventsEnabled: boolean) => {
  const run = randomBytes(6).toString('hex')
  const connection = { brokers: kafka('CAIRN_KAFKA_BROKERS').split(',') }
  const settings = {
    endpoint: minio('CAIRN_S3_ENDPOINT'),
    region: minio('CAIRN_S3_REGION'),
    pathStyle: minio('CAIRN_S3_PATH_STYLE') === 'on',
    credentials: { accessKeyId: minio('CAIRN_S3_ACCESS_KEY_ID'), secretAccessKey: minio('CAIRN_S3_SECRET_ACCESS_KEY') },
    bucket: `object-events-${run}`,
    prefix: 'cairn',
  }
  // Uses the same number of partitions as setup: another cluster that shares this Kafka without a prefix rejects a
  // topic with fewer.
  await createKafkaTopics({ connection, topics: [objectEventsTopic], partitions: 12, replication: 1 })
  const files = s3FileStore(settings)
  await files.ensure()
  const heard: string[] = []
  const real = kafkaMessageBus({ connection })
  const bus: MessageBus = {
    ...createBus().bus,
    // Only the topic of object events is subscribed, on Kafka with a group for this run; other topics deliver nothing.
    subscribe: ({ topic }, handle) => {
      if (topic !== objectEventsTopic) return { close: async () => undefined }
      const note: typeof handle = async (message) => {
        await handle(message)
        heard.push(...keysIn(message.data))
      }
      return real.subscribe({ topic, group: `test-${run}` }, note)
    },
  }
  const scene = await createPipelineScene({ objectEventsEnabled, bus, files: () => files })
  onTestFinished(async () => {
    await scene.service.stop()
    await real.close()
    const left = await files.list({ prefix: '', limit: 1_000 })
    if (left.length > 0) await files.remove(left.map(({ key }) => key))
    await files.close()
  })
  /** Uploads a file like a client with a signed URL. */
  const bring = async (name: string) => {
    const key = await scene.permit(name)
    const headers = { 'content-type': 'text/plain' }
    const url = await files.signPut(key, { contentType: 'text/plain', expiresInSeconds: 900 })
    expect((await fetch(url, { method: 'PUT', body: 'some text', headers })).status).toBe(200)
    return key
  }
  return { ...scene, settings, heard, bring }
}

describeWithEngine('kafka', (kafka) =>
  describeWithEngine('minio', (minio) => {
    const target = minio('CAIRN_OBJECT_EVENTS')

    it('registers a file on the event of the object store, without polling', async ({ skip }) => {
      if (target === 'off') return skip('CAIRN_OBJECT_EVENTS names no target of this store')
      const { service, settings, heard, bring, permit, files, isRegistered } = await setUp(kafka, minio, true)
      await notifyOfNewObjects({ ...settings, target })
      await notifyOfNewObjects({ ...settings, target })
      await service.start()
      const key = await bring(hardName)
      await expect.poll(() => isRegistered(hardName), heardWithin).toBe(true)
      await expect.poll(() => heard, heardWithin).toContain(key)
      const inParts = await permit('parts.txt')
      const uploadId = await files.startMultipart(inParts, { contentType: 'text/plain' })
      const partUrl = await files.signPart(inParts, uploadId, 1, { expiresInSeconds: 900 })
      const sent = await fetch(partUrl, { method: 'PUT', body: 'a part' })
      await files.completeMultipart(inParts, uploadId, [
        { part: 1, etag: sent.headers.get('etag')?.replaceAll('"', '') ?? '' },
      ])
      await expect.poll(() => isRegistered('parts.txt'), heardWithin).toBe(true)
    })

    it('registers a file by polling if the store sends no events', async () => {
      const { service, manual, heard, bring, isRegistered } = await setUp(kafka, minio, false)
      await service.start()
      await bring('a.txt')
      expect(await isRegistered('a.txt')).toBe(false)
      manual.pass(6_000)
      await expect.poll(() => isRegistered('a.txt')).toBe(true)
      expect(heard).toEqual([])
    })

    it('registers no object without an upload permission, with or without an event, and reports it as orphaned after an hour', async ({
      skip,
    }) => {
      if (target === 'off') return skip('CAIRN_OBJECT_EVENTS names no target of this store')
      const { service, settings, heard, manual, store, permit, files, isRegistered } = await setUp(kafka, minio, true)
      await notifyOfNewObjects({ ...settings, target })
      await service.start()
      const beside = (await permit('with.txt')).replace(/with\.txt$/, 'without.txt')
      await files.put(beside, Buffer.from('some text'), { contentType: 'text/plain' })
      await expect.poll(() => heard, heardWithin).toContain(beside)
      expect(await isRegistered('without.txt')).toBe(false)
      expect(await service.sweep()).toMatchObject({ removed: 0, orphans: 0 })
      // Advances the pipeline's clock, which starts far behind the store's, to an hour after it.
      manual.pass(Date.now() - wallAt + 3_700_000)
      expect(await service.sweep()).toMatchObject({ removed: 0, orphans: 1 })
      expect((await store.orphans.page({ limit: 9 })).map(({ key }) => key)).toEqual([beside])
      expect(await isRegistered('without.txt')).toBe(false)
    })

    it('accepts only notification targets that the store has', async ({ skip }) => {
      if (target === 'off') return skip('CAIRN_OBJECT_EVENTS names no target of this store')
      const { settings } = await setUp(kafka, minio, false)
      await expect(notifyOfNewObjects({ ...settings, target: 'arn:minio:sqs::NOBODY:kafka' })).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringContaining('ARN'),
      })
    })
  }),
)
