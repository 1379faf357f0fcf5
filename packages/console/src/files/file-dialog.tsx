import { describePlace, type FileStatus } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { excerptOf } from '../api.ts'
import { Dialog } from '../dialog.tsx'
import { number } from '../format.ts'
import { pageRange } from '../page-range.ts'
import { Badge, DocumentLink, Metadata, Pager, QueryStatus } from '../parts.tsx'
import { goTo, routeWithin, usePage, withParams } from '../router.ts'
import { useApi } from '../session.ts'
import { FileMetadataView } from './file-metadata.tsx'
import { DownloadOriginal } from './file-original.tsx'
import { useStatus } from './file-row.tsx'
import { describeState, factsOf, placeBeside, tones } from './file-status.ts'

const chunksAtOnce = 50

const Chunks = (props: { readonly namespace: string; readonly prefix: string; readonly count: number }) => {
  const { namespace, prefix, count } = props
  const api = useApi()
  const [page, setPage] = usePage('chunks')
  const range = pageRange(count, chunksAtOnce, page)
  const { from, end } = range
  const chunks = useQuery({
    queryKey: ['chunks', namespace, prefix, from, end],
    queryFn: async () => {
      const ids = Array.from({ length: end - from }, (_, index) => `${prefix}${from + index}`)
      const { items } = await api.documents.get(namespace, ids)
      return ids.flatMap((id) => items.find((item) => item.id === id) ?? [])
    },
  })
  return (
    <>
      <h3>Chunks</h3>
      <QueryStatus query={chunks} rows={3} />
      <ol class="chunks" start={from + 1}>
        {chunks.data?.map(({ id, text }) => (
          <li key={id}>
            <DocumentLink namespace={namespace} id={id} />
            <p class="muted">{excerptOf(text)}</p>
          </li>
        ))}
      </ol>
      {range.pages > 1 ? (
        <div class="toolbar">
          <Pager range={range} onPage={setPage}>
            {number(from + 1)} to {number(end)} of {number(count)}
          </Pager>
        </div>
      ) : null}
    </>
  )
}

const StatusView = ({ status }: { readonly status: FileStatus }) => (
  <>
    <p>
      <Badge tone={tones[status.state]}>{describeState(status)}</Badge>
    </p>
    {status.message ? (
      <p>
        <strong>{status.message}</strong> {status.remedy}
      </p>
    ) : null}
    {status.notes.length > 0 ? (
      <>
        <h3>Notes</h3>
        <ul class="notes" aria-label="Notes">
          {status.notes.map((note) => (
            <li key={`${note.message} ${describePlace(note)}`}>
              {note.message} <span class="muted">{placeBeside(note)}</span>
            </li>
          ))}
        </ul>
      </>
    ) : null}
    <Metadata value={factsOf(status)} />
    {status.size === null || status.bytes_removed_at ? null : (
      <DownloadOriginal namespace={status.namespace} name={status.file_name} />
    )}
    {status.state === 'awaiting_upload' ? null : <FileMetadataView status={status} />}
    {status.chunk_id_prefix && status.chunks > 0 ? (
      <Chunks namespace={status.namespace} prefix={status.chunk_id_prefix} count={status.chunks} />
    ) : null}
  </>
)

export const FileDialog = ({ namespace, name }: { readonly namespace: string; readonly name: string }) => {
  const status = useStatus(namespace, name)
  return (
    <Dialog
      title={name}
      wide
      onClose={() => goTo(withParams(routeWithin('namespaces', namespace, 'files'), { chunks: undefined }))}
    >
      <QueryStatus query={status} rows={10} />
      {status.data ? <StatusView status={status.data} /> : null}
    </Dialog>
  )
}
