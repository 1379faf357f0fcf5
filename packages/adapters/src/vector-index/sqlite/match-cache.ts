/** Besides an entry's key and content. */
const entryBytes = 200
const bytesPerUnit = 2

type Entry = { readonly value: unknown; readonly bytes: number }

/**
 * Matches of filters and words, for repeated searches and continued listings. Emptied when `version` changes, which
 * every write causes. The oldest entries are dropped, so that keys and contents take at most `maxBytes`.
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
    /** Drops a value whose version `foundAt` is no longer current. */
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
