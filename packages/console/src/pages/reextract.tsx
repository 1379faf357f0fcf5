import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import { number, plural } from '../format.ts'
import { Badge, Problem } from '../parts.tsx'
import { useApi } from '../session.ts'

const runningEveryMs = 1_000

/** Offers to extract the files again that an earlier version has read. Nothing while none is outdated. */
export const Reextract = ({ namespace }: { readonly namespace: string }) => {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = ['reextraction', namespace]
  const { data } = useQuery({
    queryKey,
    queryFn: () => api.reextractions.get(namespace),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? runningEveryMs : false),
    retry: false,
  })
  const begin = useMutation({
    mutationFn: () => api.reextractions.start(namespace),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  if (begin.error) return <Problem error={begin.error} />
  if (data?.state === 'running') {
    const { total, extracted, failed, without_bytes: left } = data.progress ?? {}
    const done = (extracted ?? 0) + (failed ?? 0) + (left ?? 0)
    return (
      <Badge tone="busy">
        extracting again, {number(done)} of {plural(total ?? 0, 'file')}
      </Badge>
    )
  }
  if (!data || data.outdated_files === 0) return null
  return (
    <button type="button" class="button" disabled={begin.isPending} onClick={() => begin.mutate()}>
      Extract {plural(data.outdated_files, 'outdated file')} again
    </button>
  )
}
