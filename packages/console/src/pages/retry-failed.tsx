import type { Retried } from '@cairn/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import { plural } from '../format.ts'
import { Dialog, Problem, Skeleton } from '../parts.tsx'
import { useApi } from '../session.ts'

const inWords = ({ documents, files }: Retried): string =>
  `${plural(documents, 'document')} and ${plural(files, 'file')}`

/** Whether a retry queues any of it again. */
export const mayRetry = ({ documents, files }: Retried): boolean => documents + files > 0

const everyMs = 60_000

/** Reads what failed in the namespace: what a retry would queue again, and what it would refuse. */
export const useFailed = (namespace: string) => {
  const api = useApi()
  return useQuery({
    queryKey: ['failed', namespace],
    queryFn: () => api.retry(namespace, { dry_run: true }),
    refetchInterval: everyMs,
    retry: false,
  })
}

/** Says what failed in the namespace, retries what may succeed now, and says what to do about the rest. */
export const RetryFailed = (props: { readonly namespace: string; readonly onClose: () => void }) => {
  const { namespace, onClose } = props
  const api = useApi()
  const queries = useQueryClient()
  const failed = useFailed(namespace)
  const retry = useMutation({
    mutationFn: () => api.retry(namespace),
    onSuccess: async () => {
      for (const key of ['file', 'files', 'failed']) await queries.invalidateQueries({ queryKey: [key, namespace] })
    },
  })
  const { data } = failed
  const nothing = data?.refused.length ? 'None of these failures can be fixed by retrying.' : 'Nothing has failed.'
  return (
    <Dialog title="What failed" onClose={onClose}>
      {failed.error ? <Problem error={failed.error} retry={() => void failed.refetch()} /> : null}
      {failed.isPending ? <Skeleton rows={2} /> : null}
      {retry.data ? (
        <p>{inWords(retry.data)} queued again.</p>
      ) : data ? (
        <p>{mayRetry(data) ? `${inWords(data)} may succeed now.` : nothing}</p>
      ) : null}
      {data && data.refused.length > 0 ? (
        <ul aria-label="Not retried">
          {data.refused.map((one) => (
            <li key={`${one.kind} ${one.reason} ${one.remedy}`}>
              {plural(one.count, one.kind === 'files' ? 'file' : 'document')}: <strong>{one.message}</strong>{' '}
              {one.remedy}
            </li>
          ))}
        </ul>
      ) : null}
      {retry.error ? <Problem error={retry.error} /> : null}
      <footer class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
        {data && mayRetry(data) && retry.data === undefined ? (
          <button type="button" class="button primary" disabled={retry.isPending} onClick={() => retry.mutate()}>
            Retry all
          </button>
        ) : null}
      </footer>
    </Dialog>
  )
}
