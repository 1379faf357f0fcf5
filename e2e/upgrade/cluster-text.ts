import { buffer, text } from 'node:stream/consumers'
import { clusterFiles } from '@cairn/adapters/cluster'
import type { FileStore } from '@cairn/domain/ports/file-store'
import { filePipelineConfig } from '@cairn/file-pipeline/config'
import { readConfig } from '@cairn/runtime/config/config'
import { startLocalServer } from '@cairn/testing/local-server'
import { BSON, type Document, MongoClient } from 'mongodb'

export type QdrantWrite = {
  readonly method: string
  readonly collection: string
  readonly rest: string
  readonly body: unknown
}

/** Content of a cluster's stores as JSON values, with bytes in base64. */
export type ClusterText = {
  /** Documents of each collection, in MongoDB's extended JSON. */
  readonly mongodb: Readonly<Record<string, readonly object[]>>
  /** All writes in order; `collection` is without the installation's prefix. */
  readonly qdrant: readonly QdrantWrite[]
  readonly objects: Readonly<Record<string, { readonly base64: string }>>
}

type Settings = Readonly<Record<string, string>>

export const placesOf = (settings: Settings): ClusterPlaces => ({
  mongodbUrl: settings['CAIRN_MONGODB_URL'] ?? '',
  database: settings['CAIRN_MONGODB_DATABASE'] ?? '',
  qdrantUrl: settings['CAIRN_QDRANT_URL'] ?? '',
  qdrantPrefix: settings['CAIRN_QDRANT_PREFIX'] ?? '',
})

export const filesAt = (settings: Settings): FileStore => clusterFiles(readConfig(filePipelineConfig, settings))

export const dropDatabase = async ({ mongodbUrl, database }: ClusterPlaces): Promise<void> => {
  const client = new MongoClient(mongodbUrl)
  await client.db(database).dropDatabase()
  await client.close()
}

export type ClusterPlaces = {
  readonly mongodbUrl: string
  readonly database: string
  readonly qdrantUrl: string
  /** Prefix of this installation's collection names. */
  readonly qdrantPrefix: string
}

/**
 * Creates a proxy that forwards requests to Qdrant and records the writing ones, so that vectors need not be read back
 * from a collection.
 */
export const recordingQdrant = async (url: string, prefix: string) => {
  const writes: QdrantWrite[] = []
  const { url: recorder, close } = await startLocalServer(async (request, response) => {
    const body = await text(request)
    const { method = 'GET', url: path = '/', headers } = request
    const [, collection, rest] = /^\/collections\/([^/?]+)(.*)$/.exec(path) ?? []
    const { 'content-type': contentType = 'application/json' } = headers
    const sent = body === '' ? {} : { body, headers: { 'content-type': contentType } }
    const answer = await fetch(url + path, { method, ...sent, signal: AbortSignal.timeout(20_000) })
    if (answer.ok && collection?.startsWith(prefix) && (method === 'PUT' || rest?.startsWith('/points/delete')))
      writes.push({
        method,
        collection: collection.slice(prefix.length),
        rest: rest ?? '',
        body: JSON.parse(body) as unknown,
      })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
    response.end(await answer.text())
  })
  return { url: recorder, writes, close }
}

export const clusterText = async (
  { mongodbUrl, database }: Pick<ClusterPlaces, 'mongodbUrl' | 'database'>,
  files: FileStore,
  qdrant: readonly QdrantWrite[],
): Promise<ClusterText> => {
  const client = new MongoClient(mongodbUrl)
  try {
    const db = client.db(database)
    const mongodb: Record<string, object[]> = {}
    for (const { name } of (await db.listCollections().toArray()).toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      mongodb[name] = (await db.collection(name).find().sort({ _id: 1 }).toArray()).map(
        (one) => BSON.EJSON.serialize(one) as object,
      )
    const objects: Record<string, { base64: string }> = {}
    for (const { key } of await files.list({ prefix: '', limit: 1_000 })) {
      const found = await files.get(key)
      if (!found) continue
      objects[key] = { base64: (await buffer(found.body)).toString('base64') }
    }
    return { mongodb, qdrant, objects }
  } finally {
    await client.close()
  }
}

export const clusterFromText = async (
  { mongodbUrl, database, qdrantUrl, qdrantPrefix }: ClusterPlaces,
  files: FileStore,
  stored: ClusterText,
): Promise<void> => {
  const client = new MongoClient(mongodbUrl)
  try {
    const db = client.db(database)
    for (const [name, documents] of Object.entries(stored.mongodb))
      if (documents.length > 0)
        await db.collection(name).insertMany(documents.map((one) => BSON.EJSON.deserialize(one) as Document))
    for (const { method, collection, rest, body } of stored.qdrant) {
      const answer = await fetch(`${qdrantUrl}/collections/${qdrantPrefix}${collection}${rest}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      })
      if (!answer.ok)
        throw new Error(`Qdrant answered ${answer.status} to ${method} ${collection}${rest}: ${await answer.text()}`)
    }
    for (const [key, { base64 }] of Object.entries(stored.objects))
      await files.put(key, Buffer.from(base64, 'base64'), { contentType: 'application/octet-stream' })
  } finally {
    await client.close()
  }
}
