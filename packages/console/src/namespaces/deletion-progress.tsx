import type { NamespaceDeleting } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { useApi } from '../session.ts'

/** Returns the elapsed share of the expected time, at most 0.95: the estimate may be too short. */
export const elapsedShare = (startedAt: string, expectedAt: string): number => {
  const from = Date.parse(startedAt)
  const totalMs = Math.max(1, Date.parse(expectedAt) - from)
  return Math.min(0.95, Math.max(0, (Date.now() - from) / totalMs))
}

/** Shows the progress of an accepted deletion. */
export const DeletionProgress = ({ deletion }: { readonly deletion: NamespaceDeleting }) => {
  const api = useApi()
  const { deletion_id: id, namespace_name: name, deletion_started_at: startedAt } = deletion
  const { data } = useQuery({
    queryKey: ['deletion', id],
    queryFn: () => api.namespaces.deletion(id),
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : 1_000),
  })
  if (data?.state === 'completed')
    return (
      <li>
        <span>
          <strong>{name}</strong> was deleted. Its name can be used again.
        </span>
      </li>
    )
  if (data?.state === 'failed')
    return (
      <li>
        <span>
          The deletion of <strong>{name}</strong> failed; see the server log.
        </span>
      </li>
    )
  const expectedAt = data?.estimated_completion ?? deletion.estimated_completion
  return (
    <li>
      <span>
        Deleting <strong>{name}</strong>, expected to finish at about {new Date(expectedAt).toLocaleTimeString('en')}.
      </span>
      <progress value={elapsedShare(startedAt, expectedAt)} aria-label={`Deletion of ${name}, estimated`} />
    </li>
  )
}
