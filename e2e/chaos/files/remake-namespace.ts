import { setTimeout as pause } from 'node:timers/promises'
import { objectPrefix } from '@cairn/domain/object-keys'
import type { Stores } from '../open-stores.ts'
import type { System } from '../system.ts'

const tryEveryMs = 1_000

/** Creates a deleted namespace again as soon as its name is free. Returns false if that took too long. */
export const remakeNamespace = async (
  api: ReturnType<System['client']>,
  name: string,
  until: number,
): Promise<boolean> => {
  while ((await api.createNamespace(name)).status !== 201) {
    if (performance.now() > until) return false
    await pause(tryEveryMs)
  }
  return true
}

/** Returns the remaining objects of a deleted namespace. A late object is removed after the store's event for it. */
export const objectsLeft = async (files: Stores['files'], namespaceId: string, until: number) => {
  const options = { prefix: objectPrefix(files, namespaceId), limit: 10 }
  let objects = await files.list(options)
  for (; objects.length > 0 && performance.now() < until; await pause(tryEveryMs)) objects = await files.list(options)
  return objects
}
