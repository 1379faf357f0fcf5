import type { FileStatus } from '@cairn/client'
import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { BulkBar, type Selection, useSelection } from '../bulk.tsx'
import { Confirm } from '../dialog.tsx'
import { DropZone } from '../files/drop-area.tsx'
import { FileDialog } from '../files/file-dialog.tsx'
import { FileRow } from '../files/file-row.tsx'
import { UploadRow } from '../files/upload-row.tsx'
import { listedFiles, stateFilters } from '../files/uploads.ts'
import type { Uploads } from '../files/use-uploads.ts'
import { Select } from '../form.tsx'
import { plural } from '../format.ts'
import { pageRange } from '../page-range.ts'
import { Button, Empty, Pager, type PagerProps, QueryStatus } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { setParams, usePage, useParams } from '../router.ts'
import { idleMs, useApi, useCanWrite } from '../session.ts'

const pageSize = 25
const removed = 'Files are removed with all their chunks. This cannot be undone.'

type Filter = { readonly search: string; readonly state: string }
const setFilter = ({ search, state }: Filter) =>
  setParams({ find: search || undefined, state: state || undefined, page: undefined })

const Toolbar = ({ search, state, range, onPage }: PagerProps & Filter) => (
  <div class="toolbar">
    <input
      type="search"
      aria-label="Find a file by name"
      placeholder="Find by name"
      value={search}
      onInput={(event) => setFilter({ search: event.currentTarget.value, state })}
    />
    <Select
      aria-label="State of the files"
      options={stateFilters}
      value={state}
      onValue={(next) => setFilter({ search, state: next })}
    />
    {range.pages > 1 ? (
      <Pager range={range} onPage={onPage}>
        {range.page + 1} of {range.pages}
      </Pager>
    ) : null}
  </div>
)

const NoneFound = ({ search, state }: Filter) => (
  <Empty title="No such file">
    <p>
      Name: {search.trim() || 'any'}. State: {stateFilters[state] ?? state}.
    </p>
    <Button label="Show all files" onClick={() => setFilter({ search: '', state: '' })} />
  </Empty>
)

const useDelete = (namespace: string) => {
  const api = useApi()
  const invalidate = useInvalidate()
  return async (names: readonly string[]) => {
    const outcomes = await api.files.delete(namespace, names)
    await invalidate(['files', namespace], ['namespaces'])
    const failed = outcomes.filter(({ status }) => status === 'error')
    if (failed[0]) throw new Error(`${plural(failed.length, 'file')} not deleted: ${failed[0].message}`)
  }
}

type BulkProps = { readonly namespace: string; readonly selection: Selection; readonly shown: readonly string[] }

const FileBulk = ({ namespace, ...bulk }: BulkProps) => {
  const api = useApi()
  const queries = useQueryClient()
  const invalidate = useInvalidate()
  const remove = useDelete(namespace)
  const isRetryable = (name: string) =>
    queries
      .getQueriesData<FileStatus>({ queryKey: ['file', namespace, name] })
      .some(([, status]) => status?.retryable === true)
  const retry = async (names: readonly string[]) => {
    const retried = names.filter(isRetryable)
    for (const name of retried) await api.files.retry(namespace, name)
    await invalidate(['file', namespace], ['failed', namespace])
    const left = names.length - retried.length
    const others = left > 0 ? ` A retry would not help the other ${left}.` : ''
    return `${plural(retried.length, 'file')} queued for retry.${others}`
  }
  return <BulkBar noun="file" warning={removed} onDelete={remove} onRetry={retry} {...bulk} />
}

type Props = { readonly namespace: string; readonly selected: string | undefined; readonly uploads: Uploads }

export const Files = ({ namespace, selected, uploads: { uploads, upload } }: Props) => {
  const api = useApi()
  const canWrite = useCanWrite()
  const [page, setPage] = usePage()
  const params = useParams()
  const filter = { search: params.get('find') ?? '', state: params.get('state') ?? '' }
  const selection = useSelection()
  const remove = useDelete(namespace)
  const [toDelete, setToDelete] = useState<string | undefined>(undefined)
  const list = useQuery({
    queryKey: ['files', namespace],
    queryFn: () => api.files.list(namespace),
    refetchInterval: idleMs,
  })
  const stored = list.data?.files ?? []
  const files = listedFiles(stored, uploads, filter.search, filter.state)
  const range = pageRange(files.length, pageSize, page)
  const shown = files.slice(range.from, range.end)
  return (
    <section aria-label="Files">
      {canWrite ? <DropZone onFiles={upload} /> : null}
      <QueryStatus query={list} rows={4} />
      {stored.length > 0 ? <Toolbar {...filter} range={range} onPage={setPage} /> : null}
      <FileBulk namespace={namespace} selection={selection} shown={shown.map((file) => file.file_name)} />
      {list.data?.files.length === 0 && uploads.length === 0 ? (
        <Empty title="No files yet">
          <p>
            The text of files is split into chunks, which are searched together with the documents. Scanned pages are
            read by OCR.
          </p>
        </Empty>
      ) : null}
      {stored.length > 0 && shown.length === 0 && uploads.length === 0 ? <NoneFound {...filter} /> : null}
      {shown.length > 0 || uploads.length > 0 ? (
        <ul class="files" aria-label="Files">
          {uploads.map((each) => (
            <UploadRow key={`upload-${each.id}`} namespace={namespace} upload={each} />
          ))}
          {shown.map((file) => (
            <FileRow
              key={file.file_name}
              namespace={namespace}
              file={file}
              selection={selection}
              onReplace={(other) => upload([new File([other], file.file_name, { type: other.type })])}
              onDelete={() => setToDelete(file.file_name)}
            />
          ))}
        </ul>
      ) : null}
      {toDelete === undefined ? null : (
        <Confirm
          title="Delete this file?"
          action="Delete file"
          run={() => remove([toDelete]).then(() => setToDelete(undefined))}
          onClose={() => setToDelete(undefined)}
        >
          <p class="mono breakable">{toDelete}</p>
          <p>It is removed with all its chunks.</p>
        </Confirm>
      )}
      {selected === undefined ? null : <FileDialog key={selected} namespace={namespace} name={selected} />}
    </section>
  )
}
