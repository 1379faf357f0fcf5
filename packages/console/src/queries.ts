import { CairnError } from '@cairn/client'
import { QueryClient, type QueryKey, useQueryClient } from '@tanstack/preact-query'
import { useCallback } from 'preact/hooks'

/** Retries a read twice while the server is in trouble. A refusal is final. */
export const isRetried = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof CairnError && error.status >= 400 && error.status < 500)

/** A server on this machine answers without a network, too. */
const networkMode = 'always'

/** Polling stops while the tab is hidden. */
export const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: { networkMode, refetchIntervalInBackground: false, staleTime: 1_000, retry: isRetried },
      mutations: { networkMode },
    },
  })

/** Returns a function that has the queries whose keys begin with these read again, one after the other. */
export const useInvalidate = () => {
  const queries = useQueryClient()
  return useCallback(
    async (...keys: readonly QueryKey[]) => {
      for (const queryKey of keys) await queries.invalidateQueries({ queryKey })
    },
    [queries],
  )
}
