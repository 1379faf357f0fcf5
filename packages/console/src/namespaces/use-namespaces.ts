import { useQuery } from '@tanstack/preact-query'
import { idleMs, useApi } from '../session.ts'

export const useNamespaces = () => {
  const api = useApi()
  return useQuery({ queryKey: ['namespaces'], queryFn: () => api.namespaces.list(), refetchInterval: idleMs })
}
