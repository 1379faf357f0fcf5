import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Confirm } from '../dialog.tsx'
import { DropArea } from '../files/drop-area.tsx'
import { FileDialog } from '../files/file-dialog.tsx'
import { FileRow } from '../files/file-row.tsx'
import { UploadRow } from '../files/upload-row.tsx'
import { listedFiles, sendFiles, type Upload } from '../files/uploads.ts'
import { pageRange } from '../page-range.ts'
import { Empty, Pager, type PagerProps, QueryStatus } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { idleMs, useApi, useSession } from '../session.ts'
import { uploadFile } from '../upload-file.ts'

const pageSize = 25

const useUploads = (namespace: string) => {
  const { apiKey } = useSession()
  const invalidate = useInvalidate()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const send = async (file: File, onProgress: (sent: number) => void) => {
    await uploadFile(apiKey, namespace, file, onProgress)
    // Wait, so that the upload keeps its row until the list has the file.
    await invalidate(['file', namespace, file.name], ['files', namespace])
  }
  return { uploads, upload: (files: readonly File[]) => void sendFiles(files, { send, setUploads }) }
}

type ToolbarProps = PagerProps & { readonly search: string; readonly onSearch: (text: string) => void }

const Toolbar = ({ search, onSearch, range, onPage }: ToolbarProps) => (
  <div class="toolbar">
    <input
      type="search"
      aria-label="Find a file by name"
      placeholder="Find by name"
      value={search}
      onInput={(event) => {
        onSearch(event.currentTarget.value)
        onPage(0)
      }}
    />
    <Pager range={range} onPage={onPage}>
      {range.page + 1} of {range.pages}
    </Pager>
  </div>
)

const DeleteDialog = (props: { readonly namespace: string; readonly name: string; readonly onClose: () => void }) => {
  const { namespace, name, onClose } = props
  const api = useApi()
  const invalidate = useInvalidate()
  const remove = async () => {
    const [outcome] = await api.files.delete(namespace, [name])
    if (outcome?.status === 'error') throw new Error(outcome.message)
    onClose()
    await invalidate(['files', namespace], ['namespaces'])
  }
  return (
    <Confirm title="Delete this file?" action="Delete file" run={remove} onClose={onClose}>
      <p class="mono breakable">{name}</p>
      <p>It is removed with all its chunks.</p>
    </Confirm>
  )
}

type Props = { readonly namespace: string; readonly selected: string | undefined }

/** Shows the files of a namespace with their status. */
export const Files = ({ namespace, selected }: Props) => {
  const api = useApi()
  const { uploads, upload } = useUploads(namespace)
  const [page, setPage] = useState(0)
  const [search, setSearch] = useState('')
  const [toDelete, setToDelete] = useState<string | undefined>(undefined)
  const list = useQuery({
    queryKey: ['files', namespace],
    queryFn: () => api.files.list(namespace),
    refetchInterval: idleMs,
  })
  const stored = list.data?.files ?? []
  const files = listedFiles(stored, uploads, search)
  const range = pageRange(files.length, pageSize, page)
  return (
    <DropArea onFiles={upload}>
      <QueryStatus query={list} rows={4} />
      {stored.length > pageSize ? (
        <Toolbar search={search} onSearch={setSearch} range={range} onPage={setPage} />
      ) : null}
      {list.data?.files.length === 0 && uploads.length === 0 ? (
        <Empty title="No files yet">
          <p>
            The text of files is split into chunks, which are searched together with the documents. Scanned pages are
            read by OCR.
          </p>
        </Empty>
      ) : null}
      {files.length > 0 || uploads.length > 0 ? (
        <ul class="files" aria-label="Files">
          {uploads.map((each) => (
            <UploadRow key={`upload-${each.id}`} namespace={namespace} upload={each} />
          ))}
          {files.slice(range.from, range.end).map((file) => (
            <FileRow
              key={file.file_name}
              namespace={namespace}
              file={file}
              onDelete={() => setToDelete(file.file_name)}
            />
          ))}
        </ul>
      ) : null}
      {toDelete === undefined ? null : (
        <DeleteDialog namespace={namespace} name={toDelete} onClose={() => setToDelete(undefined)} />
      )}
      {selected === undefined ? null : <FileDialog key={selected} namespace={namespace} name={selected} />}
    </DropArea>
  )
}
