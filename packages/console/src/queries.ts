import { CairnError } from '@cairn/client'
import { QueryClient, type QueryKey, useQueryClient } from '@tanstack/preact-query'
import { useCallback } from 'preact/hooks'

export const isRetried = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof CairnError && error.status >= 400 && error.status < 500)

/** Also offline: the server may run on this machine. */
const networkMode = 'always'

export const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: { networkMode, refetchIntervalInBackground: false, staleTime: 1_000, retry: isRetried },
      mutations: { networkMode },
    },
  })

/** Refetches, one after the other, the queries whose keys begin with the given ones. */
export const useInvalidate = () => {
  const queries = useQueryClient()
  return useCallback(
    async (...keys: readonly QueryKey[]) => {
      for (const queryKey of keys) await queries.invalidateQueries({ queryKey })
    },
    [queries],
  )
}
