import * as z from 'zod'
import { secret, setting } from './config.ts'

/** Where the metadata of a cluster is kept. */
export const mongodbConfig = {
  // A MongoDB connection string: members of a replica set, user and password, TLS. May hold a password, so it may be in a file.
  mongodbUrl: secret(
    'CAIRN_MONGODB_URL',
    z
      .string()
      .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'not an address that begins with mongodb:// or mongodb+srv://')
      .default('mongodb://127.0.0.1:27017'),
  ),
  // All of its collections are Cairn's; made at the first use.
  mongodbDatabase: setting(
    'CAIRN_MONGODB_DATABASE',
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,63}$/, 'not 1 to 63 letters, digits, hyphens and underscores')
      // These are the server's own.
      .refine((name) => !['admin', 'config', 'local'].includes(name), 'one of the names MongoDB keeps for itself')
      .default('cairn'),
  ),
}
