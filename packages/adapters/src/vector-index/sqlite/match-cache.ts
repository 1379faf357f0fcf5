/** Bytes of an entry beside its key and its content. */
const entryBytes = 200
const bytesPerUnit = 2

type Entry = { readonly value: unknown; readonly bytes: number }

/**
 * Creates a cache of the matches of filters and words, for repeated searches and continued listings. It is emptied when
 * `version` changes, which it does with each write. Entries are dropped from the oldest on, so that their keys and
 * contents take at most `maxBytes` together.
 */
export const createMatchCache = ({
  maxBytes,
  version,
}: {
  readonly maxBytes: number
  readonly version: () => number
}) => {
  const entries = new Map<string, Entry>()
  let bytes = 0
  let cachedVersion = version()

  const dropOutdated = (): number => {
    const current = version()
    if (current === cachedVersion) return current
    entries.clear()
    bytes = 0
    cachedVersion = current
    return current
  }

  return {
    get: <T>(key: string): T | undefined => {
      dropOutdated()
      return entries.get(key)?.value as T | undefined
    },
    /** Keeps what was found since the version was `foundAt`, unless something was written meanwhile. */
    set: (key: string, value: unknown, contentBytes: number, foundAt: number): void => {
      if (dropOutdated() !== foundAt) return
      const added = entryBytes + bytesPerUnit * key.length + contentBytes
      if (added > maxBytes / 2) return
      bytes += added - (entries.get(key)?.bytes ?? 0)
      entries.set(key, { value, bytes: added })
      for (const [oldest, { bytes: freed }] of entries) {
        if (bytes <= maxBytes) return
        entries.delete(oldest)
        bytes -= freed
      }
    },
    bytes: (): number => bytes,
    version: dropOutdated,
  }
}
