import { describePlace, type FileStatus, fileExtensions } from '@cairn/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Api, excerptOf } from '../api.ts'
import { age, bytes, duration, number, plural, timeLeft } from '../format.ts'
import { Badge, Code, Confirm, Dialog, Empty, Metadata, Problem, Skeleton, type Tone } from '../parts.tsx'
import { go, routeTo } from '../router.ts'
import { idleMs, useApi, useSession } from '../session.ts'
import { ElsewhereError, uploadFile } from '../upload-file.ts'

const pageSize = 25
const uploadsAtOnce = 3
const chunksAtOnce = 50

type Upload = { readonly id: number; readonly name: string; readonly sent: number; readonly error?: unknown }

const isFinal = (status: FileStatus | undefined): boolean => status?.state === 'completed' || status?.state === 'failed'

const stages: Readonly<Record<NonNullable<FileStatus['stage']>, string>> = {
  waiting: 'waiting',
  fetching: 'fetching',
  reading: 'reading',
  indexing: 'indexing',
  summarising: 'summarizing',
  publishing: 'publishing',
  cleaning: 'cleaning up',
  done: 'done',
}

/** `reading, page 37 of 412`. */
const stageOf = ({ state, stage, progress }: FileStatus): string => {
  if (state === 'awaiting_upload') return 'waiting for the upload'
  if (state === 'queued') return 'queued'
  const { page, pages, rows, chunks } = progress
  const place =
    stage === 'indexing' && chunks !== undefined
      ? plural(chunks, 'chunk')
      : page !== undefined
        ? `page ${number(page)}${pages === undefined ? '' : ` of ${number(pages)}`}`
        : rows !== undefined
          ? `row ${number(rows)}`
          : ''
  return [stage ? stages[stage] : 'processing', place].filter(Boolean).join(', ')
}

const tones: Readonly<Record<FileStatus['state'], Tone>> = {
  awaiting_upload: 'neutral',
  queued: 'busy',
  processing: 'busy',
  completed: 'good',
  failed: 'bad',
}

const useStatus = (api: Api, namespace: string, file: string, lastModified?: string) =>
  useQuery({
    // With other bytes, also from another client, it is another status.
    queryKey: ['file', namespace, file, lastModified],
    queryFn: () => api.files.status(namespace, file),
    staleTime: ({ state }) => (isFinal(state.data) ? 60_000 : 0),
    refetchInterval: ({ state }) => (isFinal(state.data) ? false : 1_000),
  })

const useRetry = (api: Api, namespace: string, file: string) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.files.retry(namespace, file),
    onSettled: () => queries.invalidateQueries({ queryKey: ['file', namespace, file] }),
  })
}

const FileRow = (props: {
  readonly namespace: string
  readonly name: string
  readonly size: number
  readonly lastModified: string
  readonly onDelete: () => void
}) => {
  const { namespace, name, size } = props
  const api = useApi()
  const status = useStatus(api, namespace, name, props.lastModified)
  const retry = useRetry(api, namespace, name)
  const queries = useQueryClient()
  const { data } = status
  const wasActive = useRef(false)
  const state = data?.state
  useEffect(() => {
    if (state === 'queued' || state === 'processing') wasActive.current = true
    if ((state !== 'completed' && state !== 'failed') || !wasActive.current) return
    wasActive.current = false
    for (const queryKey of [['namespaces'], ['failed', namespace]]) void queries.invalidateQueries({ queryKey })
  }, [state, queries, namespace])
  const { page, pages } = data?.progress ?? {}
  const isOpen = data !== undefined && !isFinal(data)
  return (
    <li class="file">
      <div class="file-line">
        <a class="file-name breakable" href={routeTo('namespaces', namespace, 'files', name)}>
          {name}
        </a>
        <span class="file-state" aria-live="polite">
          {data ? (
            <Badge tone={tones[data.state]}>
              {data.state === 'completed'
                ? plural(data.chunks, 'chunk')
                : data.state === 'failed'
                  ? 'failed'
                  : stageOf(data)}
            </Badge>
          ) : (
            <Badge>…</Badge>
          )}
        </span>
        <span class="muted file-size">{bytes(size)}</span>
        <span class="muted file-age">{age(data?.finished_at ?? data?.created_at)}</span>
        <span class="actions">
          <button type="button" class="button quiet small" onClick={props.onDelete}>
            Delete<span class="visually-hidden"> {name}</span>
          </button>
        </span>
      </div>
      {isOpen ? (
        <progress
          class="file-progress"
          aria-label={`Progress of ${name}`}
          {...(page !== undefined && pages ? { value: page / pages } : {})}
        />
      ) : null}
      {isOpen && data.estimated_completion ? (
        <p class="muted file-estimate">done in about {timeLeft(data.estimated_completion)}</p>
      ) : null}
      {data?.state === 'failed' ? (
        <div class="file-failure">
          <p>
            <strong>{data.message}</strong> {data.remedy}
          </p>
          {data.retryable ? (
            <button type="button" class="button small" disabled={retry.isPending} onClick={() => retry.mutate()}>
              Retry<span class="visually-hidden"> {name}</span>
            </button>
          ) : null}
          {retry.error ? <Problem error={retry.error} /> : null}
        </div>
      ) : null}
      {status.error ? <Problem error={status.error} retry={() => void status.refetch()} /> : null}
    </li>
  )
}

/** The chunks of a file in reading order, some at a time. */
const Chunks = (props: { readonly namespace: string; readonly prefix: string; readonly count: number }) => {
  const { namespace, prefix, count } = props
  const api = useApi()
  const [from, setFrom] = useState(0)
  const end = Math.min(from + chunksAtOnce, count)
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
      {chunks.error ? <Problem error={chunks.error} retry={() => void chunks.refetch()} /> : null}
      {chunks.isPending ? <Skeleton rows={3} /> : null}
      <ol class="chunks" start={from + 1}>
        {chunks.data?.map(({ id, text }) => (
          <li key={id}>
            <a class="mono breakable" href={routeTo('namespaces', namespace, 'documents', id)}>
              {id}
            </a>
            <p class="muted">{excerptOf(text)}</p>
          </li>
        ))}
      </ol>
      {count > chunksAtOnce ? (
        <div class="toolbar">
          <button
            type="button"
            class="button"
            disabled={from === 0}
            onClick={() => setFrom(Math.max(0, from - chunksAtOnce))}
          >
            Previous
          </button>
          <span class="muted">
            {number(from + 1)} to {number(end)} of {number(count)}
          </span>
          <button type="button" class="button" disabled={end === count} onClick={() => setFrom(end)}>
            Next
          </button>
        </div>
      ) : null}
    </>
  )
}

const FileDialog = ({ namespace, name }: { readonly namespace: string; readonly name: string }) => {
  const api = useApi()
  const status = useStatus(api, namespace, name)
  const { data } = status
  return (
    <Dialog title={name} wide onClose={() => go('namespaces', namespace, 'files')}>
      {status.error ? <Problem error={status.error} /> : null}
      {status.isPending ? <Skeleton rows={6} /> : null}
      {data ? (
        <>
          <p>
            <Badge tone={tones[data.state]}>{isFinal(data) ? data.state : stageOf(data)}</Badge>
          </p>
          {data.message ? (
            <p>
              <strong>{data.message}</strong> {data.remedy}
            </p>
          ) : null}
          {data.notes.length > 0 ? (
            <ul aria-label="Notes">
              {data.notes.map((note) => (
                <li key={`${note.message} ${describePlace(note)}`}>
                  {note.message} <span class="muted">{describePlace(note)}</span>
                </li>
              ))}
            </ul>
          ) : null}
          <Metadata
            value={{
              Size: data.size === null ? '–' : bytes(data.size),
              Chunks: number(data.chunks),
              Summaries: number(data.summaries),
              Attempts: number(data.attempts),
              ...(Object.keys(data.timings).length === 0
                ? {}
                : {
                    Timings: Object.entries(data.timings)
                      .map(([stage, seconds]) => `${stage} ${duration(seconds)}`)
                      .join(' · '),
                  }),
            }}
          />
          {data.chunk_id_prefix && data.chunks > 0 ? (
            <>
              <h3>Chunks</h3>
              <Chunks namespace={namespace} prefix={data.chunk_id_prefix} count={data.chunks} />
            </>
          ) : null}
        </>
      ) : null}
    </Dialog>
  )
}

const UploadRow = ({ namespace, upload }: { readonly namespace: string; readonly upload: Upload }) => (
  <li class="file">
    <div class="file-line">
      <span class="file-name breakable">{upload.name}</span>
      <Badge tone={upload.error ? 'bad' : 'busy'}>
        {upload.error ? 'not sent' : `sending, ${Math.round(upload.sent * 100)} %`}
      </Badge>
    </div>
    {upload.error ? (
      <Problem error={upload.error} />
    ) : (
      <progress class="file-progress" value={upload.sent} aria-label={`Upload of ${upload.name}`} />
    )}
    {upload.error instanceof ElsewhereError ? (
      <Code
        label="Upload with curl"
        text={[
          `url=$(curl -s -H "x-api-key: $KEY" -H 'content-type: application/json' ${location.origin}/v1/namespaces/${namespace}/upload-url \\`,
          `  -d '${JSON.stringify({ file_name: upload.name }).replaceAll("'", "'\\''")}')`,
          `curl -T '${upload.name.replaceAll("'", "'\\''")}' -H "content-type: $(echo "$url" | jq -r .content_type)" "$(echo "$url" | jq -r .upload_url)"`,
        ].join('\n')}
      />
    ) : null}
  </li>
)

let lastUpload = 0

type Props = { readonly namespace: string; readonly selected: string | undefined }

/** The files of a namespace with what becomes of each. */
export const Files = ({ namespace, selected }: Props) => {
  const { api, apiKey } = useSession()
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [isOver, setOver] = useState(false)
  const [page, setPage] = useState(0)
  const [search, setSearch] = useState('')
  const [toDelete, setToDelete] = useState<string | undefined>(undefined)
  const list = useQuery({
    queryKey: ['files', namespace],
    queryFn: () => api.files.list(namespace),
    refetchInterval: idleMs,
  })
  const remove = useMutation({
    mutationFn: async (name: string) => {
      const [outcome] = await api.files.delete(namespace, [name])
      if (outcome?.status === 'error') throw new Error(outcome.message)
    },
    onSuccess: async () => {
      setToDelete(undefined)
      await queries.invalidateQueries({ queryKey: ['files', namespace] })
      await queries.invalidateQueries({ queryKey: ['namespaces'] })
    },
  })

  const send = async (chosen: readonly File[]) => {
    const waiting = chosen.map((file) => {
      lastUpload += 1
      return { file, upload: { id: lastUpload, name: file.name, sent: 0 } }
    })
    setUploads((before) => [...before, ...waiting.map(({ upload }) => upload)])
    const change = (id: number, part: Partial<Upload>) =>
      setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...part } : each)))
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { file, upload } = next
        try {
          await uploadFile(apiKey, namespace, file, (sent) => change(upload.id, { sent }))
          await queries.invalidateQueries({ queryKey: ['file', namespace, file.name] })
          await queries.invalidateQueries({ queryKey: ['files', namespace] })
          setUploads((before) => before.filter(({ id }) => id !== upload.id))
        } catch (error) {
          change(upload.id, { error })
        }
      }
    }
    await Promise.all(Array.from({ length: uploadsAtOnce }, work))
  }

  // What is being sent keeps its row until it is one of the stored files.
  const sending = new Set(uploads.filter(({ error }) => !error).map(({ name }) => name))
  const files = (list.data?.files ?? [])
    .filter(({ file_name: name }) => !sending.has(name) && name.toLowerCase().includes(search.trim().toLowerCase()))
    .toSorted((a, b) => (a.last_modified < b.last_modified ? 1 : -1))
  const pages = Math.max(1, Math.ceil(files.length / pageSize))
  const current = Math.min(page, pages - 1)
  return (
    <section
      aria-label="Files"
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) =>
        event.currentTarget.contains(event.relatedTarget as Node | null) ? undefined : setOver(false)
      }
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void send([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <div class="drop-zone">
        <p>
          <strong>Drag files here</strong> or{' '}
          <button type="button" class="link" onClick={() => input.current?.click()}>
            choose files
          </button>
        </p>
        <p class="muted">{fileExtensions.map((extension) => extension.slice(1)).join(', ')}</p>
        <input
          ref={input}
          hidden
          type="file"
          multiple
          accept={fileExtensions.join()}
          aria-label="Files to upload"
          onChange={(event) => {
            void send([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
      </div>
      {list.error ? <Problem error={list.error} retry={() => void list.refetch()} /> : null}
      {list.isPending ? <Skeleton rows={4} /> : null}
      {list.data && list.data.files.length > pageSize ? (
        <div class="toolbar">
          <input
            type="search"
            aria-label="Find a file by name"
            placeholder="Find by name"
            value={search}
            onInput={(event) => {
              setSearch(event.currentTarget.value)
              setPage(0)
            }}
          />
          <button type="button" class="button" disabled={current === 0} onClick={() => setPage(current - 1)}>
            Previous
          </button>
          <span class="muted">
            {current + 1} of {pages}
          </span>
          <button type="button" class="button" disabled={current >= pages - 1} onClick={() => setPage(current + 1)}>
            Next
          </button>
        </div>
      ) : null}
      {list.data?.files.length === 0 && uploads.length === 0 ? (
        <Empty title="No files yet">
          <p>
            Their text is extracted, cut into chunks and searched with the documents. Scanned pages are read by OCR.
          </p>
        </Empty>
      ) : null}
      {files.length > 0 || uploads.length > 0 ? (
        <ul class="files" aria-label="Files">
          {uploads.map((upload) => (
            <UploadRow key={`upload-${upload.id}`} namespace={namespace} upload={upload} />
          ))}
          {files.slice(current * pageSize, (current + 1) * pageSize).map((file) => (
            <FileRow
              key={file.file_name}
              namespace={namespace}
              name={file.file_name}
              size={file.size}
              lastModified={file.last_modified}
              onDelete={() => setToDelete(file.file_name)}
            />
          ))}
        </ul>
      ) : null}
      {toDelete === undefined ? null : (
        <Confirm
          title="Delete this file?"
          action="Delete file"
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(toDelete)}
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
