import type { FileMetadata, FileStatus } from '@cairn/client'
import type { Context } from '../command.ts'
import { printable } from '../table.ts'
import type { ComparedFile, Failure } from './compare-files.ts'
import type { Memory } from './memory.ts'
import { sendFiles, waitForFiles } from './send-files.ts'

const lineEveryMs = 2_000
const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)
export const shareOf = (bytes: number, total: number): string =>
  total < 1_000_000 ? `${bytes} of ${total} bytes` : `${megabytes(bytes)} of ${megabytes(total)} MB`

/** Updated in place on a terminal, otherwise written at most every two seconds. */
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

export type Transferred = {
  /** Without files that were waited for and failed. */
  readonly sent: readonly string[]
  readonly failed: readonly Failure[]
  /** States of sent files, if they were waited for. */
  readonly processed: readonly FileStatus[]
}

/** Names the reason and the remedy. */
export const failedOf = (processed: readonly FileStatus[]): readonly Failure[] =>
  processed
    .filter(({ state }) => state === 'failed')
    .map(({ file_name: name, message, remedy }) => ({ name, message: [message, remedy].filter(Boolean).join(' ') }))

/** Waits on request, and shows the progress. */
export const transfer = async (
  context: Context,
  files: readonly ComparedFile[],
  {
    namespace,
    memory,
    waits,
    metadata,
  }: {
    readonly namespace: string
    readonly memory: Memory
    readonly waits: boolean
    readonly metadata?: FileMetadata | undefined
  },
): Promise<Transferred> => {
  const { signal } = context
  const cairn = context.cairn()
  const line = createLine(context)
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  try {
    const { sent, failed } = await sendFiles(files, {
      ...{ cairn, namespace, memory, metadata, signal },
      onProgress: ({ files: done, bytes }) =>
        line.write(`sending  ${done} of ${files.length} files, ${shareOf(bytes, total)}`),
    })
    const onProgress = (done: number) => line.write(`processing  ${done} of ${sent.length} files`)
    const processed = waits ? await waitForFiles(cairn, namespace, sent, signal, onProgress) : []
    const done = processed.filter(({ state }) => state === 'completed').map(({ file_name: name }) => name)
    return { sent: waits ? done : sent, processed, failed: [...failed, ...failedOf(processed)] }
  } finally {
    line.end()
  }
}

/** Returns completed files of which parts were skipped or read inexactly. */
export const notedOf = (processed: readonly FileStatus[]) =>
  processed
    .filter(({ state, notes }) => state === 'completed' && notes.length > 0)
    .map(({ file_name: name, notes }) => ({
      name,
      notes: notes.length,
      codes: [...new Set(notes.map(({ code }) => code))],
    }))

export const describeNotes = ({ note }: Context, processed: readonly FileStatus[]): void => {
  for (const { name, notes, codes } of notedOf(processed))
    note(`  ${printable(`${name}: ${notes} ${notes === 1 ? 'note' : 'notes'} (${codes.join(', ')})`)}\n`)
}

export const describeFailures = ({ note }: Context, failed: readonly Failure[]): void => {
  for (const { name, message } of failed) note(`  ${printable(`${name}: ${message}`)}\n`)
}
