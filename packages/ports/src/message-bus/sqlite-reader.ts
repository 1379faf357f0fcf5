import { DatabaseSync } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'
import type { DeliverySource, StoredMessage } from './delivery.ts'

const pageSize = 64

const open = (file: string) => {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  } catch (cause) {
    throw new AppError('unavailable', `${file} could not be opened for reading`, { cause })
  }
}

/** Short reads on the caller's thread: a page is some 100 microseconds. The file has to be there. */
export const createBusReader = (file: string) => {
  const db = open(file)
  const page = db.prepare(`
    SELECT m.seq, m.key, m.at, m.body FROM pending p CROSS JOIN messages m ON m.seq = p.seq
    WHERE p.group_id = ? AND p.seq > ? ORDER BY p.seq LIMIT ${pageSize}
  `)
  const nextOfKey = db.prepare(`
    SELECT m.seq, m.key, m.at, m.body FROM messages m CROSS JOIN pending p ON p.group_id = ? AND p.seq = m.seq
    WHERE m.topic = ? AND m.key = ? AND m.seq > ? AND m.seq <= ? ORDER BY m.seq LIMIT 1
  `)
  return {
    sourceOf: (topic: string, groupId: number): Omit<DeliverySource, 'handled'> => ({
      pageSize,
      page: (after) => page.all(groupId, after) as StoredMessage[],
      nextOfKey: (key, after, upTo) => nextOfKey.get(groupId, topic, key, after, upTo) as StoredMessage | undefined,
    }),
    close: () => db.close(),
  }
}
