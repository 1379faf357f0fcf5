import { Cairn, describePlace, type FileList, type FileStatus } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Command, Context, Result } from './command.ts'
import { detailsTable, printable, table } from './table.ts'

export const filesCommand: Command = {
  name: 'files',
  summary: 'List the files of a namespace',
  arguments: [{ name: 'namespace', description: 'The text namespace.' }],
  run: async ({ cairn, print, signal }, input) => {
    const data = await cairn().files.list(input.argument('namespace'), { signal })
    const files = [...data.files].sort((a, b) => (a.file_name < b.file_name ? -1 : 1))
    print(
      table<FileList['files'][number]>(
        [
          { title: 'FILE', value: ({ file_name }) => file_name },
          { title: 'BYTES', value: ({ size }) => size.toLocaleString('en'), right: true },
          { title: 'MODIFIED', value: ({ last_modified }) => last_modified },
        ],
        files,
      ),
    )
    return { data }
  },
}

const noteLine = (note: FileStatus['notes'][number]): string => {
  const place = describePlace(note)
  return `${note.code}: ${note.message}${place === '' ? '' : ` (${place})`}`
}

const describeFile = (file: FileStatus): string =>
  detailsTable({
    file: file.file_name,
    state: file.state,
    stage: file.stage,
    bytes: file.size?.toLocaleString('en'),
    chunks: file.chunks,
    message: file.message,
    remedy: file.remedy,
    ...(file.outdated && { outdated: 'read by an earlier version of the server; see cairn reextract' }),
    notes: file.notes.length,
    updated: file.updated_at,
    'expected end': file.estimated_completion ?? undefined,
  }) + file.notes.map((note) => `  ${printable(noteLine(note))}\n`).join('')

const showUpload = async ({ cairn, print, signal }: Context, namespace: string, id: string): Promise<Result> => {
  const { documents, ...data } = await cairn().uploads.get(namespace, id, { signal })
  print(
    detailsTable({
      upload: data.upload_id,
      state: data.state,
      documents: Object.entries(data.counts)
        .filter(([, count]) => count > 0)
        .map(([outcome, count]) => `${count} ${outcome}`)
        .join(', '),
      attempts: data.attempts,
      'next attempt': data.next_attempt_at ?? undefined,
      'expected end': data.estimated_completion ?? undefined,
      finished: data.finished_at ?? undefined,
    }),
  )
  const open = documents.filter(({ state }) => state !== 'completed')
  for (const { id: document, state, message, remedy } of open)
    print(`${printable([document, state, message, remedy].filter(Boolean).join('  '))}\n`)
  return { data: { ...data, documents: open } }
}

export const statusCommand: Command = {
  name: 'status',
  summary: 'Show whether the server is ready, or the state of files or of an upload',
  arguments: [
    { name: 'namespace', description: 'The namespace of the file.', optional: true },
    {
      name: 'file',
      description: 'The name of the file. Without it: every file that is not completed.',
      optional: true,
    },
  ],
  options: {
    upload: {
      type: 'string',
      value: 'id',
      description: 'The state of this upload of the namespace, instead of files.',
    },
  },
  run: async (context, input) => {
    const { cairn, settings, print, signal } = context
    const [namespace, file] = [input.optional('namespace'), input.optional('file')]
    if (namespace === undefined && input.text('upload') !== undefined)
      throw new AppError('invalid', '--upload needs the namespace')
    if (namespace === undefined) {
      // Without a key: none is needed, and none may be configured.
      const data = await new Cairn({ url: settings.url }).readiness({ signal })
      const parts = Object.entries(data.dependencies)
      const states = parts.map(([name, { ok, detail }]) => [name, detail ?? (ok ? 'ok' : 'not ready')] as const)
      print(detailsTable({ server: settings.url, state: data.status, ...Object.fromEntries(states) }))
      return { data, ...(data.status === 'ready' ? {} : { failed: 'The server is not ready' }) }
    }
    const upload = input.text('upload')
    if (upload !== undefined) {
      if (file !== undefined) throw new AppError('invalid', 'Use a file name or --upload, not both')
      return showUpload(context, namespace, upload)
    }
    const client = cairn()
    if (file !== undefined) {
      const data = await client.files.status(namespace, file, { signal })
      print(describeFile(data))
      return { data }
    }
    const { files } = await client.files.list(namespace, { signal })
    const open: FileStatus[] = []
    for (const { file_name } of files) {
      const status = await client.files.status(namespace, file_name, { signal })
      if (status.state !== 'completed') open.push(status)
    }
    print(`${files.length - open.length} of ${files.length} files are completed\n`)
    for (const { file_name, state, message, remedy, estimated_completion: end } of open) {
      const expected = end ? `expected to end at ${end}` : undefined
      print(`${printable([file_name, state, message, remedy, expected].filter(Boolean).join('  '))}\n`)
    }
    return { data: { files: files.length, open } }
  },
}
