import type { MongoClient } from 'mongodb'
import { isUnknownCommand } from './mongodb-errors.ts'

type Hello = { readonly localTime?: Date; readonly setName?: string; readonly msg?: string }

/** Some stores know only `isMaster`, the older name of the command. */
export const hello = async (client: MongoClient): Promise<Hello> => {
  const admin = client.db('admin')
  try {
    return await admin.command({ hello: 1 })
  } catch (error) {
    if (!isUnknownCommand(error)) throw error
    return admin.command({ isMaster: 1 })
  }
}

/** Milliseconds since the epoch. */
export const timeOf = async (client: MongoClient): Promise<number> => {
  const { localTime } = await hello(client)
  if (!(localTime instanceof Date)) throw new Error('MongoDB returned no server time')
  return localTime.getTime()
}
