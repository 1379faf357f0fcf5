import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '@cairn/domain/store'
import { allByName } from '@cairn/testing/read-all'
import { namespacesOf } from '../quiet.ts'

const everyMs = 500

/**
 * Polls which file versions are published, with their content. Each content may have only one published version,
 * however often its processing started.
 */
export const watchVersions = (store: Store) => {
  const shown = new Map<string, Map<string, string>>()
  const stop = new AbortController()
  const look = async () => {
    for (const { id } of await namespacesOf(store)) {
      for (const { id: file, live } of await allByName((page) => store.files.page(id, page))) {
        if (!live) continue
        const versions = shown.get(file) ?? new Map<string, string>()
        shown.set(file, versions.set(live.version, live.etag))
      }
    }
  }
  const watch = async () => {
    while (!stop.signal.aborted) {
      await look()
      await pause(everyMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }
  const watching = watch()
  // `stop` reports the error.
  watching.catch(() => undefined)
  return {
    /** `published`: number of versions that were seen as published. */
    stop: async (): Promise<{ readonly published: number; readonly faults: readonly string[] }> => {
      stop.abort()
      await watching
      await look()
      const faults: string[] = []
      let published = 0
      for (const [file, versions] of shown) {
        published += versions.size
        const contents = Map.groupBy(versions, ([, etag]) => etag)
        for (const [etag, own] of contents)
          if (own.length > 1)
            faults.push(
              `I8: the content ${etag} of ${file} was shown ${own.length} times: ${own.map(([version]) => version).join(', ')}`,
            )
      }
      return { published, faults }
    },
  }
}
