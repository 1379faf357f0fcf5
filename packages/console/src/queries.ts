import { CairnError } from '@cairn/client'
import { QueryClient, type QueryKey, useQueryClient } from '@tanstack/preact-query'
import { useCallback } from 'preact/hooks'

/** Returns whether a read is retried: at most twice, and not after a client error (4xx). */
export const isRetried = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof CairnError && error.status >= 400 && error.status < 500)

/** Requests are also sent offline, because the server may run on this machine. */
const networkMode = 'always'

/** Creates the query client. Polling stops while the tab is hidden. */
export const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: { networkMode, refetchIntervalInBackground: false, staleTime: 1_000, retry: isRetried },
      mutations: { networkMode },
    },
  })

/** Returns a function that refetches, one after the other, the queries whose keys begin with the given keys. */
export const useInvalidate = () => {
  const queries = useQueryClient()
  return useCallback(
    async (...keys: readonly QueryKey[]) => {
      for (const queryKey of keys) await queries.invalidateQueries({ queryKey })
    },
    [queries],
  )
}
