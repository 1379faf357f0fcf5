import type { NamespaceDeleting } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { expectedIn } from '../format.ts'
import { useApi } from '../session.ts'

export const DeletionProgress = ({ deletion }: { readonly deletion: NamespaceDeleting }) => {
  const api = useApi()
  const { deletion_id: id, namespace_name: name } = deletion
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
        Deleting <strong>{name}</strong>, expected to be done {expectedIn(expectedAt)}.
      </span>
      <progress aria-label={`Deletion of ${name}`} />
    </li>
  )
}
