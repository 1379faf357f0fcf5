import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { FileMetadata } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { checkFileMetadata } from '@cairn/contracts/files/file-metadata'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { announce, namespaceOn } from './announce.ts'
import type { Command, Context, Input } from './command.ts'
import { printable } from './table.ts'
import { compareFiles, listFiles } from './transfer/compare-files.ts'
import { findFiles, type LocalFile } from './transfer/find-files.ts'
import { addMemory } from './transfer/memory.ts'
import { describeFailures, describeNotes, failedOf, notedOf, type Transferred, transfer } from './transfer/report.ts'
import { waitForFiles } from './transfer/send-files.ts'

const watchEveryMs = 1_000
const filesAtOnce = 4

type Round = Transferred & { readonly unchanged: number }

/** Adds files that are new, changed, or replaced by somebody else. */
const createRounds = (context: Context, namespace: string, waits: boolean, metadata: FileMetadata | undefined) => {
  const { signal, settings } = context
  const cairn = context.cairn()
  const memory = addMemory(settings, namespace)
  return async (files: readonly LocalFile[]): Promise<Round> => {
    const listing = await listFiles(cairn, namespace, signal)
    const { unchanged, added, changed, others, failed } = await compareFiles(files, { listing, memory, signal })
    const result = await transfer(context, [...added, ...changed, ...others], { namespace, memory, waits, metadata })
    if (!metadata) return { ...result, failed: [...failed, ...result.failed], unchanged: unchanged.length }
    // The server changes nothing where the metadata are equal.
    await atOnce(filesAtOnce, unchanged, (name) => cairn.files.update(namespace, name, { metadata }, { signal }))
    const updated = waits ? await waitForFiles(cairn, namespace, unchanged, signal, () => undefined) : []
    const refused = failedOf(updated)
    return {
      sent: result.sent,
      processed: [...result.processed, ...updated],
      failed: [...failed, ...result.failed, ...refused],
      unchanged: unchanged.length - refused.length,
    }
  }
}

const describe = (context: Context, { sent, unchanged, failed, processed }: Round): void => {
  context.print(`${sent.length} added, ${unchanged} unchanged, ${failed.length} failed\n`)
  describeFailures(context, failed)
  describeNotes(context, processed)
}

/** Adds a changed file once it has not changed again for one round. */
const watch = async (
  context: Context,
  paths: readonly string[],
  first: readonly LocalFile[],
  round: (files: readonly LocalFile[]) => Promise<Round>,
): Promise<void> => {
  const stamp = ({ size, changedMs }: LocalFile) => `${size} ${changedMs}`
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
      // The server may be restarting, or a folder being replaced: the next round may succeed.
      context.note(`  ${printable(error instanceof Error ? error.message : String(error))}\n`)
    }
  }
}

const metadataOf = (input: Input): FileMetadata | undefined => {
  const text = input.text('meta')
  if (text === undefined) return undefined
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    throw new AppError('invalid', '--meta must be JSON')
  }
  const checked = checkFileMetadata(sent)
  if (!checked.ok) throw new AppError('invalid', `--meta ${checked.requirement}`)
  return sent as FileMetadata
}

const addInput = async (context: Context, input: Input, namespace: string) => {
  const name = input.text('name')
  if (name === undefined)
    throw new AppError('invalid', 'Standard input needs a file name: use --name, such as --name notes.txt')
  announce(context, `standard input as ${name}`, namespaceOn(context, namespace))
  const content = new Blob([new Uint8Array(await buffer(context.stdin))])
  const options = { name, metadata: metadataOf(input), wait: input.flag('wait'), signal: context.signal }
  const data = await context.cairn().files.upload(namespace, content, options)
  const { status } = data
  if (status) describeNotes(context, [status])
  if (status?.state === 'failed') return { data, failed: [status.message, status.remedy].filter(Boolean).join(' ') }
  context.print(`${name} added\n`)
  return { data }
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
    meta: { type: 'string', value: 'json', description: 'Metadata of the files, also of those that have not changed.' },
  },
  examples: [
    'cairn add docs README.md --to handbook --wait',
    'cairn add docs --to handbook --watch',
    `cairn add reports --to handbook --meta '{"team":"sales","year":2026}'`,
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
    const round = createRounds(context, namespace, input.flag('wait'), metadataOf(input))
    const result = await round(files)
    describe(context, result)
    if (input.flag('watch')) await watch(context, paths, files, round)
    const { sent, unchanged, failed, processed } = result
    return {
      data: { namespace, added: sent, unchanged, failed, noted: notedOf(processed) },
      ...(failed.length === 0 ? {} : { failed: `${failed.length} of ${files.length} files failed` }),
    }
  },
}
