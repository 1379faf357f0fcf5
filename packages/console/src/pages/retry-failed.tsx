import type { Retried } from '@cairn/client'
import { useMutation, useQuery } from '@tanstack/preact-query'
import { Dialog } from '../dialog.tsx'
import { plural } from '../format.ts'
import { Button, Problem, QueryStatus } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { routeTo } from '../router.ts'
import { useApi, useCanWrite } from '../session.ts'

const inWords = ({ documents, files }: Retried): string =>
  `${plural(documents, 'document')} and ${plural(files, 'file')}`

export const mayRetry = ({ documents, files }: Retried): boolean => documents + files > 0

type NamesProps = {
  readonly namespace: string
  readonly refused: Retried['refused'][number]
  readonly onOpen: () => void
}
const RefusedNames = ({ namespace, refused, onOpen }: NamesProps) => {
  const { kind, count, names = [] } = refused
  return (
    <ul class="refused">
      {names.map((name) => (
        <li key={name}>
          <a class="breakable" href={routeTo('namespaces', namespace, kind, name)} onClick={onOpen}>
            {name}
          </a>
        </li>
      ))}
      {count > names.length ? <li>and {count - names.length} more</li> : null}
    </ul>
  )
}

const everyMs = 60_000

/** Reads what a retry would queue, and what it would refuse. */
export const useFailed = (namespace: string) => {
  const api = useApi()
  return useQuery({
    queryKey: ['failed', namespace],
    queryFn: () => api.retry(namespace, { dry_run: true }),
    refetchInterval: everyMs,
    retry: false,
    // The request needs the scope of a retry.
    enabled: useCanWrite(),
  })
}

export const RetryFailed = (props: { readonly namespace: string; readonly onClose: () => void }) => {
  const { namespace, onClose } = props
  const api = useApi()
  const invalidate = useInvalidate()
  const failed = useFailed(namespace)
  const retry = useMutation({
    mutationFn: () => api.retry(namespace),
    onSuccess: () => invalidate(['file', namespace], ['files', namespace], ['failed', namespace]),
  })
  const { data } = failed
  const nothing = data?.refused.length ? 'None of these failures can be fixed by retrying.' : 'Nothing has failed.'
  return (
    <Dialog title="What failed" onClose={onClose}>
      <QueryStatus query={failed} rows={2} />
      {retry.data ? (
        <p>{inWords(retry.data)} queued for retry.</p>
      ) : data ? (
        <p>{mayRetry(data) ? `${inWords(data)} can be retried.` : nothing}</p>
      ) : null}
      {data && data.refused.length > 0 ? (
        <ul aria-label="Not retried">
          {data.refused.map((one) => (
            <li key={`${one.kind} ${one.reason} ${one.remedy}`}>
              {plural(one.count, one.kind === 'files' ? 'file' : 'document')}: <strong>{one.message}</strong>{' '}
              {one.remedy}
              <RefusedNames namespace={namespace} refused={one} onOpen={onClose} />
            </li>
          ))}
        </ul>
      ) : null}
      {retry.error ? <Problem error={retry.error} /> : null}
      <footer class="dialog-foot">
        <Button label="Close" onClick={onClose} />
        {data && mayRetry(data) && retry.data === undefined ? (
          <Button label="Retry all" writes look="primary" disabled={retry.isPending} onClick={() => retry.mutate()} />
        ) : null}
      </footer>
    </Dialog>
  )
}
