import { useEffect, useState } from 'preact/hooks'

// Splits the fragment, which never leaves the browser: `#/namespaces/notes/files?find=report&page=2`.

const partsOf = (hash: string): readonly [path: string, query: string] => {
  const at = hash.indexOf('?')
  return at < 0 ? [hash, ''] : [hash.slice(0, at), hash.slice(at + 1)]
}

export const segmentsOf = (hash: string): readonly string[] =>
  partsOf(hash)[0]
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

/** A parameter without a value is left out. */
export type Params = Readonly<Record<string, string | number | readonly string[] | undefined>>

const hashOf = (path: string, params: URLSearchParams): string => (params.size > 0 ? `${path}?${params}` : path)

export const withParams = (hash: string, changes: Params): string => {
  const [path, query] = partsOf(hash)
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    params.delete(name)
    for (const each of [value ?? []].flat()) params.append(name, String(each))
  }
  return hashOf(path, params)
}

export const routeTo = (...segments: readonly string[]): string => `#/${segments.map(encodeURIComponent).join('/')}`

/** Returns the address of another item of the list, which keeps its filter and its page. */
export const routeWithin = (...segments: readonly string[]): string =>
  hashOf(routeTo(...segments), new URLSearchParams(partsOf(location.hash)[1]))

export const goTo = (hash: string): void => {
  location.hash = hash
}

/** Adds no entry to the history, because it is called at each key press. */
export const setParams = (changes: Params): void => {
  history.replaceState(null, '', withParams(location.hash, changes))
  // Only a navigation sends this event by itself.
  dispatchEvent(new Event('hashchange'))
}

export const useRoute = (): { readonly segments: readonly string[]; readonly params: URLSearchParams } => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const onChange = () => setHash(location.hash)
    // The address may have changed between the first rendering and this effect.
    onChange()
    addEventListener('hashchange', onChange)
    return () => removeEventListener('hashchange', onChange)
  }, [])
  return { segments: segmentsOf(hash), params: new URLSearchParams(partsOf(hash)[1]) }
}
export const useParams = (): URLSearchParams => useRoute().params

/** Returns the page from 0; the address has it from 1. */
export const usePage = (name = 'page'): readonly [page: number, setPage: (page: number) => void] => {
  const page = Math.max(1, Math.round(Number(useParams().get(name))) || 1)
  return [page - 1, (next) => goTo(withParams(location.hash, { [name]: next === 0 ? undefined : next + 1 }))]
}
