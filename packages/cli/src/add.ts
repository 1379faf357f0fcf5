import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { FileStatus } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { type Added, addFiles, waitForFiles } from './add/add-files.ts'
import { addMemory } from './add/add-memory.ts'
import { findFiles, type LocalFile } from './add/find-files.ts'
import { announce, namespaceOn } from './announce.ts'
import type { Command, Context, Input } from './command.ts'
import { printable } from './table.ts'

const watchEveryMs = 1_000
const lineEveryMs = 2_000
const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

/**
 * Creates a progress line on standard error: updated in place on a terminal, otherwise written at most every two
 * seconds.
 */
const createLine = ({ note, isTerminal }: Context) => {
  let writtenAt = Number.NEGATIVE_INFINITY
  let isOpen = false
  return {
    write: (text: string) => {
      if (!isTerminal && performance.now() - writtenAt < lineEveryMs) return
      writtenAt = performance.now()
      isOpen = isTerminal
      note(isTerminal ? `\r\x1b[K  ${text}` : `  ${text}\n`)
    },
    end: () => {
      if (isOpen) note('\r\x1b[K')
      isOpen = false
    },
  }
}

type Round = Added & { readonly processed: readonly FileStatus[] }

const memoryFile = ({ settings }: Context, namespace: string): string =>
  join(
    settings.stateDir,
    'cli-add',
    encodeURIComponent(settings.url.replace(/^https?:\/\//, '')),
    `${encodeURIComponent(namespace)}.json`,
  )

const createRounds = (context: Context, namespace: string, waits: boolean) => {
  const { signal } = context
  const cairn = context.cairn()
  const memory = addMemory(memoryFile(context, namespace))
  return async (files: readonly LocalFile[]): Promise<Round> => {
    const line = createLine(context)
    const total = files.reduce((sum, { size }) => sum + size, 0)
    try {
      const result = await addFiles(files, {
        ...{ cairn, namespace, memory, signal },
        onProgress: ({ files: done, bytes }) =>
          line.write(`adding  ${done} of ${files.length} files, ${megabytes(bytes)} of ${megabytes(total)} MB`),
      })
      const processed = waits
        ? await waitForFiles(cairn, namespace, result.added, signal, (done) =>
            line.write(`processing  ${done} of ${result.added.length} files`),
          )
        : []
      return { ...result, processed }
    } finally {
      line.end()
    }
  }
}

const failedOf = ({ processed }: Round) => processed.filter(({ state }) => state === 'failed')

const notesOf = ({ file_name: name, notes }: FileStatus) => ({
  name,
  notes: notes.length,
  codes: [...new Set(notes.map(({ code }) => code))],
})

/** Returns the completed files with notes: files of which parts were skipped or read inexactly. */
const notedOf = ({ processed }: Pick<Round, 'processed'>) =>
  processed.filter(({ state, notes }) => state === 'completed' && notes.length > 0).map(notesOf)

const describeNotes = ({ note }: Context, round: Pick<Round, 'processed'>): void => {
  for (const { name, notes, codes } of notedOf(round))
    note(`  ${printable(`${name}: ${notes} ${notes === 1 ? 'note' : 'notes'} (${codes.join(', ')})`)}\n`)
}

const describe = (context: Context, round: Round): void => {
  const { print, note } = context
  const { added, unchanged, failed } = round
  const processingFailed = failedOf(round)
  print(`${added.length} added, ${unchanged} unchanged, ${failed.length + processingFailed.length} failed\n`)
  for (const { name, message } of failed) note(`  ${printable(`${name}: ${message}`)}\n`)
  for (const { file_name, message, remedy } of processingFailed)
    note(`  ${printable(`${file_name}: ${[message, remedy].filter(Boolean).join(' ')}`)}\n`)
  describeNotes(context, round)
}

/**
 * Adds changed files until the signal is aborted. A changed file is added once it has not changed again for one round.
 */
const watch = async (
  context: Context,
  paths: readonly string[],
  first: readonly LocalFile[],
  round: (files: readonly LocalFile[]) => Promise<Round>,
): Promise<void> => {
  const stamp = ({ size, mtimeMs }: LocalFile) => `${size} ${mtimeMs}`
  const settled = new Map(first.map((file) => [file.name, stamp(file)]))
  let last = new Map(settled)
  context.note('watching for changes; stop with Ctrl-C\n')
  for (;;) {
    try {
      await delay(watchEveryMs, undefined, { signal: context.signal })
      const files = await findFiles(paths)
      const changed = files.filter(
        (file) => settled.get(file.name) !== stamp(file) && last.get(file.name) === stamp(file),
      )
      last = new Map(files.map((file) => [file.name, stamp(file)]))
      if (changed.length === 0) continue
      describe(context, await round(changed))
      for (const file of changed) settled.set(file.name, stamp(file))
    } catch (error) {
      if (context.signal.aborted) return
      // The server may be restarting, or a folder may be being replaced: the next round may succeed.
      context.note(`  ${printable(error instanceof Error ? error.message : String(error))}\n`)
    }
  }
}

/** Sends standard input as one file. */
const addInput = async (context: Context, input: Input, namespace: string) => {
  const name = input.text('name')
  if (name === undefined)
    throw new AppError('invalid', 'Standard input needs a file name: use --name, such as --name notes.txt')
  announce(context, `standard input as ${name}`, namespaceOn(context, namespace))
  const content = new Blob([new Uint8Array(await buffer(context.stdin))])
  const cairn = context.cairn()
  const { signal } = context
  const file = await cairn.files.upload(namespace, content, { name, signal })
  context.print(`${name} added\n`)
  if (!input.flag('wait')) return { data: file }
  const status = await cairn.waitFor.file(namespace, name, { signal })
  describeNotes(context, { processed: [status] })
  return {
    data: { ...file, status },
    ...(status.state === 'failed' ? { failed: [status.message, status.remedy].filter(Boolean).join(' ') } : {}),
  }
}

export const addCommand: Command = {
  name: 'add',
  summary: 'Add files and folders to a text namespace if they are new or changed',
  arguments: [{ name: 'path', description: 'Files, folders, or - for standard input.', rest: true }],
  options: {
    to: { type: 'string', value: 'namespace', required: true, description: 'The text namespace.' },
    wait: { type: 'boolean', description: 'Wait until the files are searchable.' },
    watch: { type: 'boolean', description: 'Keep adding new and changed files, until stopped.' },
    name: { type: 'string', value: 'name', description: 'The file name for standard input.' },
  },
  examples: [
    'cairn add docs README.md --to handbook --wait',
    'cairn add docs --to handbook --watch',
    'cairn add - --name notes.txt --to handbook',
  ],
  notes: [
    'Files in a folder are named below it: docs/a.md for "cairn add docs", a.md for "cairn add .". Hidden files and folders, node_modules and files of',
    'other types are skipped. What was added is recorded, so an interrupted run continues where it stopped. Nothing is deleted.',
  ],
  run: async (context, input) => {
    const namespace = input.text('to') ?? ''
    const paths = input.rest('path')
    if (paths.includes('-')) {
      if (paths.length > 1 || input.flag('watch'))
        throw new AppError('invalid', 'Standard input cannot be combined with other paths or --watch')
      return addInput(context, input, namespace)
    }
    const files = await findFiles(paths)
    if (files.length === 0 && !input.flag('watch'))
      throw new AppError('invalid', 'No files of a supported type were found')
    announce(context, paths.join(' '), namespaceOn(context, namespace))
    const round = createRounds(context, namespace, input.flag('wait'))
    const result = await round(files)
    describe(context, result)
    if (input.flag('watch')) await watch(context, paths, files, round)
    const { added, unchanged, failed } = result
    const faults = [
      ...failed,
      ...failedOf(result).map(({ file_name, message }) => ({ name: file_name, message: message ?? '' })),
    ]
    return {
      data: { namespace, added, unchanged, failed: faults, noted: notedOf(result) },
      ...(faults.length === 0 ? {} : { failed: `${faults.length} of ${files.length} files failed` }),
    }
  },
}
