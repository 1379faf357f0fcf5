import type { Collection } from 'mongodb'
import { connectMongodb, type Settings } from './engines.ts'
import { nextId } from './upload-request.ts'

type Row = { readonly _id: string; readonly id: string; readonly [field: string]: unknown }

/** Same write concern as the product's. */
const writeConcern = { w: 'majority', journal: true } as const
const atOnce = 1_000

/**
 * Opens a copy of the product's item collection, with its indexes, for copies of a row that the product has written.
 */
export const openRawItems = async (settings: Settings) => {
  const client = connectMongodb(settings)
  const database = client.db(settings['CAIRN_MONGODB_DATABASE'])
  const items: Collection<Row> = database.collection('items')
  const sample = await items.findOne()
  if (!sample) throw new Error('the product has written no item')
  const copies: Collection<Row> = database.collection('rawItems', { writeConcern })
  const indexes = (await items.indexes()).filter(({ name }) => name !== '_id_')
  if (indexes.length > 0)
    await copies.createIndexes(indexes.map(({ name, key }) => ({ ...(name === undefined ? {} : { name }), key })))
  // An item's key is the key of its namespace, followed by its own id.
  const namespace = sample._id.slice(0, sample._id.length - sample.id.length)

  const insert = async (count: number): Promise<void> => {
    const rows = Array.from({ length: count }, () => {
      const id = nextId()
      return { ...sample, _id: namespace + id, id }
    })
    await copies.insertMany(rows, { ordered: false })
  }

  return {
    insert,
    fill: async (count: number): Promise<void> => {
      for (let left = count; left > 0; left -= atOnce) await insert(Math.min(left, atOnce))
    },
    /** Removes all copies in key order with one command. */
    removeAll: async (): Promise<number> => {
      const { deletedCount } = await copies.deleteMany({ _id: { $gt: namespace, $lt: `${namespace}\uffff` } })
      return deletedCount
    },
    close: () => client.close(),
  }
}
