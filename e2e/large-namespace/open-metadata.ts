import { mongodbMetadata } from '@cairn/ports/metadata/mongodb'
import { migrateMongodb } from '@cairn/ports/metadata/mongodb-schema'
import type { Metadata } from '@cairn/ports/metadata/port'
import { sqliteMetadata } from '@cairn/ports/metadata/sqlite'

/** `file` of SQLite, or `url` and `database` of MongoDB. */
export type MetadataPlace = { readonly file: string } | { readonly url: string; readonly database: string }

export const openMetadata = (place: MetadataPlace): Metadata =>
  'file' in place ? sqliteMetadata(place) : mongodbMetadata(place)

export const prepareMetadata = async (place: MetadataPlace): Promise<void> => {
  if ('url' in place) await migrateMongodb({ ...place, log: () => undefined })
}
