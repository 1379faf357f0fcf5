import { mongodbStore } from '@cairn/adapters/store/mongodb'
import { migrateMongodb } from '@cairn/adapters/store/mongodb-schema'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import type { Store } from '@cairn/domain/store'

/** Location of the metadata: `file` for SQLite, or `url` and `database` for MongoDB. */
export type StorePlace = { readonly file: string } | { readonly url: string; readonly database: string }

export const openStore = (place: StorePlace): Store => ('file' in place ? sqliteStore(place) : mongodbStore(place))

export const prepareStore = async (place: StorePlace): Promise<void> => {
  if ('url' in place) await migrateMongodb({ ...place, log: () => undefined })
}
