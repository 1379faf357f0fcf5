import type { FileList } from '@cairn/client'
import { quoted } from '../snippets.ts'

export type Upload = { readonly id: number; readonly name: string; readonly sent: number; readonly error?: unknown }

type Named = { readonly name: string }
type Change = (uploads: readonly Upload[]) => readonly Upload[]
type Options<F extends Named> = {
  /** Reports the fraction sent, 0 to 1. */
  readonly send: (file: F, onProgress: (sent: number) => void) => Promise<void>
  readonly setUploads: (change: Change) => void
}

const uploadsAtOnce = 3
let lastId = 0

/** Sends several files concurrently. The entry of a failed file stays in the list, with the error. */
export const sendFiles = async <F extends Named>(files: readonly F[], { send, setUploads }: Options<F>) => {
  const waiting = files.map((file) => {
    lastId += 1
    return { file, upload: { id: lastId, name: file.name, sent: 0 } }
  })
  setUploads((before) => [...before, ...waiting.map(({ upload }) => upload)])
  const change = (id: number, part: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...part } : each)))
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id } = next.upload
      try {
        await send(next.file, (sent) => change(id, { sent }))
        setUploads((before) => before.filter((each) => each.id !== id))
      } catch (error) {
        change(id, { error })
      }
    }
  }
  await Promise.all(Array.from({ length: uploadsAtOnce }, work))
}

type StoredFile = FileList['files'][number]

export const stateFilters: Readonly<Record<string, string>> = {
  '': 'All states',
  awaiting_upload: 'Waiting for upload',
  queued: 'Queued',
  processing: 'Processing',
  completed: 'Completed',
  failed: 'Failed',
}

/** Returns the files, newest first, without those being sent, whose uploads have rows. */
export const listedFiles = (
  files: readonly StoredFile[],
  uploads: readonly Upload[],
  search: string,
  inState: string,
): StoredFile[] => {
  const sending = new Set(uploads.filter(({ error }) => !error).map(({ name }) => name))
  const text = search.trim().toLowerCase()
  return files
    .filter(
      ({ file_name: name, state }) =>
        !sending.has(name) && name.toLowerCase().includes(text) && (inState === '' || state === inState),
    )
    .toSorted((a, b) => (a.last_modified < b.last_modified ? 1 : -1))
}

export const uploadCommands = (origin: string, namespace: string, name: string): string =>
  [
    `url=$(curl -s -H "x-api-key: $CAIRN_API_KEY" -H 'content-type: application/json' ${origin}/v1/namespaces/${namespace}/upload-url \\`,
    `  -d ${quoted(JSON.stringify({ file_name: name }))})`,
    `curl -T ${quoted(name)} -H "content-type: $(echo "$url" | jq -r .content_type)" "$(echo "$url" | jq -r .upload_url)"`,
  ].join('\n')
