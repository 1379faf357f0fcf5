import { setTimeout as pause } from 'node:timers/promises'
import { objectPrefix } from '@cairn/domain/files/object-keys'
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

/**
 * Waits until a deleted namespace has no objects or until `until`; returns up to ten remaining objects. A late object
 * is removed once the services notice it.
 */
export const objectsLeft = async (files: Stores['files'], namespaceId: string, until: number) => {
  const options = { prefix: objectPrefix(files, namespaceId), limit: 10 }
  let objects = await files.list(options)
  for (; objects.length > 0 && performance.now() < until; await pause(tryEveryMs)) objects = await files.list(options)
  return objects
}
