import { secret, setting } from '@cairn/contracts/settings'
import * as z from 'zod'

export const mongodbConfig = {
  // Members of a replica set, user and password, TLS. May hold a password, so it may come from a file.
  mongodbUrl: secret(
    'CAIRN_MONGODB_URL',
    z
      .string()
      .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'not an address that begins with mongodb:// or mongodb+srv://')
      .default('mongodb://127.0.0.1:27017'),
  ),
  // Contains only Cairn's collections. Created on first use.
  mongodbDatabase: setting(
    'CAIRN_MONGODB_DATABASE',
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,63}$/, 'not 1 to 63 letters, digits, hyphens and underscores')
      .refine((name) => !['admin', 'config', 'local'].includes(name), 'one of the names MongoDB keeps for itself')
      .default('cairn'),
  ),
}
