import { connectQdrant, type Settings } from './engines.ts'
import { kilobyte } from './upload-request.ts'

const atOnce = 100
const removedAtOnce = 1_000

/** Opens a Qdrant collection that holds only vectors and their texts. */
export const openRawPoints = async (settings: Settings, dimension: number) => {
  const client = connectQdrant(settings)
  const collection = `${settings['CAIRN_QDRANT_PREFIX'] ?? ''}raw`
  await client.createCollection(collection, { vectors: { size: dimension, distance: 'Cosine' } })
  let lastId = 0

  /** Upserts vectors under ids that count up from 1. */
  const upsert = async (vectors: readonly Float32Array[]): Promise<void> => {
    const points = vectors.map((vector) => {
      lastId += 1
      return { id: lastId, vector: Array.from(vector), payload: { text: kilobyte, source: 'bench' } }
    })
    await client.upsert(collection, { points, wait: true })
  }

  return {
    collection,
    upsert,
    fill: async (vectors: readonly Float32Array[]): Promise<void> => {
      for (let from = 0; from < vectors.length; from += atOnce) await upsert(vectors.slice(from, from + atOnce))
    },
    /** Removes all points by id, without a lookup; a real caller does not know these ids. */
    removeAll: async (): Promise<void> => {
      for (let from = 1; from <= lastId; from += removedAtOnce) {
        const count = Math.min(removedAtOnce, lastId - from + 1)
        await client.delete(collection, {
          points: Array.from({ length: count }, (_, index) => from + index),
          wait: true,
        })
      }
      lastId = 0
    },
  }
}
