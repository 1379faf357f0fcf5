import type { MongoClient } from 'mongodb'
import { isUnknownCommand } from './mongodb-errors.ts'

type Hello = { readonly localTime?: Date; readonly setName?: string; readonly msg?: string }

/** What a server says of itself. `isMaster` is the older name of the same command, which some stores know alone. */
export const hello = async (client: MongoClient): Promise<Hello> => {
  const admin = client.db('admin')
  try {
    return await admin.command({ hello: 1 })
  } catch (error) {
    if (!isUnknownCommand(error)) throw error
    return admin.command({ isMaster: 1 })
  }
}

/** The server's clock, milliseconds since the epoch. */
export const timeOf = async (client: MongoClient): Promise<number> => {
  const { localTime } = await hello(client)
  if (!(localTime instanceof Date)) throw new Error('MongoDB does not tell its time')
  return localTime.getTime()
}
