import { useEffect, useState } from 'preact/hooks'

// Routes are in the fragment, which never leaves the browser: `#/namespaces/notes/files`.

export const segmentsOf = (hash: string): readonly string[] =>
  hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      try {
        return decodeURIComponent(segment)
      } catch {
        return segment
      }
    })

/** Returns the segments of the current route. */
export const useRoute = (): readonly string[] => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const onChange = () => setHash(location.hash)
    addEventListener('hashchange', onChange)
    return () => removeEventListener('hashchange', onChange)
  }, [])
  return segmentsOf(hash)
}

export const routeTo = (...segments: readonly string[]): string => `#/${segments.map(encodeURIComponent).join('/')}`

export const go = (...segments: readonly string[]): void => {
  location.hash = routeTo(...segments)
}
