import { mongodbMetadata } from '@cairn/adapters/metadata/mongodb'
import { migrateMongodb } from '@cairn/adapters/metadata/mongodb-schema'
import { sqliteMetadata } from '@cairn/adapters/metadata/sqlite'
import type { Metadata } from '@cairn/domain/store'

/** Location of the metadata: `file` for SQLite, or `url` and `database` for MongoDB. */
export type MetadataPlace = { readonly file: string } | { readonly url: string; readonly database: string }

export const openMetadata = (place: MetadataPlace): Metadata =>
  'file' in place ? sqliteMetadata(place) : mongodbMetadata(place)

export const prepareMetadata = async (place: MetadataPlace): Promise<void> => {
  if ('url' in place) await migrateMongodb({ ...place, log: () => undefined })
}
