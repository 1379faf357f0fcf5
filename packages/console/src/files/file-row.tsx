import type { FileList, FileStatus, RetryFile } from '@cairn/client'
import { useMutation, useQuery } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SelectBox, type Selection } from '../bulk.tsx'
import { age, bytes, expectedIn, plural } from '../format.ts'
import { Badge, Button, Problem, QueryStatus } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { routeWithin } from '../router.ts'
import { useApi } from '../session.ts'
import { FilePicker } from './drop-area.tsx'
import { describeState, isFinal, tones } from './file-status.ts'
import { RetryDialog, settingsFor } from './retry-dialog.tsx'

export const useStatus = (namespace: string, file: string, lastModified?: string) => {
  const api = useApi()
  return useQuery({
    // A file that was replaced has a new status.
    queryKey: ['file', namespace, file, lastModified],
    queryFn: () => api.files.status(namespace, file),
    staleTime: ({ state }) => (isFinal(state.data) ? 60_000 : 0),
    refetchInterval: ({ state }) => (isFinal(state.data) ? false : 1_000),
  })
}

const useCountsWhenProcessed = (namespace: string, state: FileStatus['state'] | undefined): void => {
  const invalidate = useInvalidate()
  const wasActive = useRef(false)
  useEffect(() => {
    if (state === 'queued' || state === 'processing') wasActive.current = true
    if ((state !== 'completed' && state !== 'failed') || !wasActive.current) return
    wasActive.current = false
    void invalidate(['namespaces'], ['failed', namespace])
  }, [state, invalidate, namespace])
}

const StateBadge = ({ status }: { readonly status: FileStatus | undefined }) =>
  status ? (
    <Badge tone={tones[status.state]}>
      {status.state === 'completed' ? plural(status.chunks, 'chunk') : describeState(status)}
    </Badge>
  ) : (
    <Badge>…</Badge>
  )

const FileProgress = ({ status }: { readonly status: FileStatus }) => {
  const { page, pages } = status.progress
  return (
    <>
      <progress
        class="file-progress"
        aria-label={`Progress of ${status.file_name}`}
        {...(page !== undefined && pages ? { value: page / pages } : {})}
      />
      {status.estimated_completion ? (
        <p class="muted file-estimate">expected to be done {expectedIn(status.estimated_completion)}</p>
      ) : null}
    </>
  )
}

type FailureProps = { readonly status: FileStatus; readonly onReplace: (file: File) => void }

const FileFailure = ({ status, onReplace }: FailureProps) => {
  const { namespace, file_name: name } = status
  const api = useApi()
  const invalidate = useInvalidate()
  const [isAsking, setAsking] = useState(false)
  const settings = settingsFor(status)
  const retry = useMutation({
    mutationFn: (how: RetryFile) => api.files.retry(namespace, name, how),
    onSettled: () => invalidate(['file', namespace, name]),
  })
  return (
    <div class="file-failure">
      <p>
        <strong>{status.message}</strong> {status.remedy}
      </p>
      {status.retryable ? (
        <Button label="Retry" writes small of={name} disabled={retry.isPending} onClick={() => retry.mutate({})} />
      ) : (
        <FilePicker
          label="Replace file"
          field={`Replacement of ${name}`}
          accept={name.slice(name.lastIndexOf('.'))}
          onFiles={([file]) => file && onReplace(file)}
        />
      )}
      {settings && !status.bytes_removed_at ? (
        <Button
          writes
          label={settings === 'encoding' ? 'Retry with its encoding' : 'Retry in its language'}
          small
          of={name}
          onClick={() => setAsking(true)}
        />
      ) : null}
      {settings && isAsking ? (
        <RetryDialog name={name} settings={settings} retry={retry.mutateAsync} onClose={() => setAsking(false)} />
      ) : null}
      {retry.error ? <Problem error={retry.error} /> : null}
    </div>
  )
}

type Props = {
  readonly namespace: string
  readonly file: FileList['files'][number]
  readonly selection: Selection
  readonly onReplace: FailureProps['onReplace']
  readonly onDelete: () => void
}

export const FileRow = ({ namespace, file, selection, onReplace, onDelete }: Props) => {
  const { file_name: name, size } = file
  const status = useStatus(namespace, name, file.last_modified)
  const { data } = status
  useCountsWhenProcessed(namespace, data?.state)
  return (
    <li class="file">
      <div class="file-line">
        <SelectBox id={name} selection={selection} />
        <a class="file-name breakable" href={routeWithin('namespaces', namespace, 'files', name)}>
          {name}
        </a>
        <span class="file-state" aria-live="polite">
          <StateBadge status={data} />
        </span>
        <span class="muted file-size">{bytes(size)}</span>
        <span class="muted file-age">{age(data?.finished_at ?? data?.created_at)}</span>
        <span class="actions">
          <Button label="Delete" writes small look="quiet" of={name} onClick={onDelete} />
        </span>
      </div>
      {data && !isFinal(data) ? <FileProgress status={data} /> : null}
      {data?.state === 'failed' ? <FileFailure status={data} onReplace={onReplace} /> : null}
      {status.error ? <QueryStatus query={status} /> : null}
    </li>
  )
}
