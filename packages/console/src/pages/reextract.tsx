import { useMutation, useQuery } from '@tanstack/preact-query'
import { number, plural } from '../format.ts'
import { Badge, Button, Problem } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { useApi } from '../session.ts'

const runningEveryMs = 1_000

/** Offers to extract again the files that were extracted by an earlier version. */
export const Reextract = ({ namespace }: { readonly namespace: string }) => {
  const api = useApi()
  const invalidate = useInvalidate()
  const queryKey = ['reextraction', namespace]
  const { data } = useQuery({
    queryKey,
    queryFn: () => api.reextractions.get(namespace),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? runningEveryMs : false),
    retry: false,
  })
  const begin = useMutation({
    mutationFn: () => api.reextractions.start(namespace),
    onSettled: () => invalidate(queryKey),
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
    <Button
      writes
      label={`Extract ${plural(data.outdated_files, 'outdated file')} again`}
      disabled={begin.isPending}
      onClick={() => begin.mutate()}
    />
  )
}
