import { setTimeout as pause } from 'node:timers/promises'
import { BSON } from 'mongodb'
import { callApi, withApi } from '../harness/api-client.ts'
import { type ClusterProduct, withCluster } from '../harness/cluster.ts'
import { newIds, sendDocuments, untilIndexed } from '../harness/documents.ts'
import { startEmbeddingServer } from '../harness/embedding-server.ts'
import { connectMongodb, connectQdrant, missingEngines, type Settings } from '../harness/engines.ts'
import { sendAll } from '../harness/latencies.ts'
import { createNamespace, fillNamespace } from '../harness/namespaces.ts'
import { type OpenSide, openSides } from '../harness/open-sides.ts'
import type { Context, Measured, Row } from '../harness/row.ts'
import { searchRequest } from '../harness/upload-request.ts'
import { clusteredData, nearest } from '../vector-index/data.ts'

const dimension = 384
const services = ['gateway', 'ingestion'] as const
const freeWithinMs = 300_000
const namespace = 'bench'
const texts = 'texts'
const vectors = 'vectors'
const sampled = 100

/** Measures the size of one item in the stores, in bytes before compression, indexes and replication. */
const bytesOfOne = async (settings: Settings): Promise<{ readonly record: number; readonly point: number }> => {
  const mongodb = connectMongodb(settings)
  const items = await mongodb.db(settings['CAIRN_MONGODB_DATABASE']).collection('items').find().limit(sampled).toArray()
  await mongodb.close()
  const qdrant = connectQdrant(settings)
  const prefix = settings['CAIRN_QDRANT_PREFIX'] ?? ''
  const names = (await qdrant.getCollections()).collections
    .map(({ name }) => name)
    .filter((name) => name.startsWith(prefix))
  const pages = await Promise.all(names.map((name) => qdrant.scroll(name, { limit: sampled, with_payload: true })))
  const points = pages.flatMap((page) => page.points)
  const mean = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  return {
    record: mean(items.map((item) => BSON.calculateObjectSize(item))),
    point: 4 * dimension + mean(points.map(({ payload }) => JSON.stringify(payload).length)),
  }
}

/** Deletes the namespace and waits until its name is free, which means that all its data is gone. */
const empty = async (product: ClusterProduct): Promise<void> => {
  await callApi(product, 'DELETE', `/v1/namespaces/${namespace}`, 202)
  const from = performance.now()
  await withApi(product, async (api) => {
    while ((await api.status('DELETE', `/v1/namespaces/${namespace}`)) === 202) {
      if (performance.now() - from > freeWithinMs) throw new Error('the namespace was not deleted in time')
      await pause(100)
    }
  })
}

/** Starts a cluster for this side alone, so that its stores hold no other data. */
const openSide = (name: string, context: Context, env: Readonly<Record<string, string>>): Promise<OpenSide> =>
  withCluster(context, { env }, async (product) => {
    const count = context.quick ? 200 : 4_000
    const data = clusteredData({ rows: count, dimension, queries: 200 })
    const ofTexts = name === texts
    const make = () => createNamespace(product, namespace, ofTexts ? undefined : dimension)
    await make()
    const target = { ...product, namespace }
    const add = async (): Promise<void> => {
      const ids = newIds(count)
      if (ofTexts) await untilIndexed(target, await sendDocuments(target, ids))
      else {
        const rows = data.rows.map((one, index) => ({ ...one, id: ids[index] ?? one.id }))
        await fillNamespace(product, namespace, rows)
      }
    }
    const searches = data.queries.map((vector) => searchRequest(target, vector))
    const spent = () => services.map((service) => product.cpuOf(service))
    const round = async (): Promise<Measured> => {
      const before = spent()
      await add()
      // A microsecond per item equals a millisecond per thousand items.
      const costs = spent().map((cpu, index) => [services[index], (cpu - (before[index] ?? 0)) / count])
      const figures = { ...Object.fromEntries(costs), ...(await bytesOfOne(product.settings)) }
      const quiet = product.gatewayCpu()
      if (!ofTexts) await sendAll(product.port, 1, searches)
      const search = ofTexts ? {} : { search: (product.gatewayCpu() - quiet) / searches.length }
      const full = product.cpuOf('deletion')
      await empty(product)
      const deletion = (product.cpuOf('deletion') - full) / count
      await make()
      return { ...figures, ...search, deletion }
    }
    return { name, round, close: product.close }
  })

export const row: Row = {
  name: 'cluster-costs',
  what: 'costs of an item and of a search in each service of a cluster, and in the stores',
  method: `4,000 items of 1 KB in requests of 100 over two connections until all can be found, texts with a model of ${dimension} dimensions behind OpenAI's API that does no work, vectors of ${dimension}; processor time of each service from its first byte to the end. 200 searches for vectors, top ${nearest}, one at a time: the model of the texts has one answer for all. Then the namespace is deleted, until its name is free. Bytes are those of the BSON of an item and of its point, the vector and its payload as JSON.`,
  figures: [
    ...services.map((service) => ({ name: service, unit: 'CPU ms of it for 1,000 items', digits: 0 })),
    { name: 'deletion', unit: 'CPU ms of it for 1,000 items of a namespace that goes', digits: 0 },
    { name: 'search', unit: 'CPU ms of the gateway for 1,000 searches', digits: 0 },
    { name: 'record', unit: 'bytes in MongoDB for an item', digits: 0 },
    { name: 'point', unit: 'bytes in Qdrant for an item', digits: 0 },
  ],
  missing: missingEngines,
  open: async (context) => {
    const model = await startEmbeddingServer(dimension, 0)
    const env = {
      CAIRN_EMBEDDER: 'openai',
      CAIRN_OPENAI_URL: model.url,
      CAIRN_OPENAI_MODEL: 'stub',
      CAIRN_OPENAI_DIMENSION: `${dimension}`,
    }
    try {
      const opened = await openSides([texts, vectors], (name) => openSide(name, context, env))
      return { ...opened, close: () => opened.close().finally(model.close) }
    } catch (error) {
      await model.close()
      throw error
    }
  },
}
