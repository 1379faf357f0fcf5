import { statSync } from 'node:fs'
import type { Cairn } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { checkFileName } from '@cairn/contracts/files/file-rules'
import { announce, namespaceOn } from './announce.ts'
import type { Command, Context, Input } from './command.ts'
import { confirm, yesOption } from './confirm.ts'
import { printable } from './table.ts'
import {
  type ComparedFile,
  type Comparison,
  compareFiles,
  type Failure,
  isOurs,
  type Listing,
  listFiles,
} from './transfer/compare-files.ts'
import { findFiles, prefixOf } from './transfer/find-files.ts'
import { addMemory, type Memory, syncMemory } from './transfer/memory.ts'
import { describeFailures, describeNotes, notedOf, transfer } from './transfer/report.ts'

/** Removed without a question: more probably means a wrong or an empty folder. */
const maxRemovedShare = 0.2
const maxPendingMs = 24 * 60 * 60_000

type Job = {
  readonly context: Context
  readonly cairn: Cairn
  readonly memory: Memory
  readonly namespace: string
  readonly folder: string
  readonly prefix: string
  /** Files from elsewhere below the prefix count as brought by this folder. */
  readonly adopts: boolean
}
type Plan = Omit<Comparison, 'others'> & {
  readonly removed: readonly string[]
  readonly listing: Listing
  /** Below the prefix, from elsewhere; they stay. */
  readonly kept: readonly string[]
  /** From elsewhere; replaced or removed because of `--adopt`. */
  readonly adopted: number
}

const conflictOf = ({ file: { name } }: ComparedFile): Failure => ({
  name,
  message: 'the namespace has a file of this name that this folder did not bring; --adopt replaces it',
})

/** Forgets files neither in the folder nor listed; one being sent may be listed later, so is kept for a day. */
const forget = (memory: Memory, isLost: (name: string) => boolean): void => {
  for (const name of memory.names()) {
    const since = memory.get(name)?.pending?.sinceMs ?? 0
    if (isLost(name) && Date.now() - since > maxPendingMs) memory.delete(name)
  }
}

/** Removes from the memory what the namespace no longer has. */
const makePlan = async (job: Job): Promise<Plan> => {
  const { context, cairn, memory, namespace, folder, prefix, adopts } = job
  const { settings, signal } = context
  const files = await findFiles([folder], prefix)
  const listing = await listFiles(cairn, namespace, signal)
  const fallback = addMemory(settings, namespace)
  const { others, failed, changed, ...same } = await compareFiles(files, { listing, memory, fallback, signal })
  const local = new Set(files.map(({ name }) => name))
  const isGone = (name: string) => name.startsWith(prefix) && !local.has(name)
  const gone = [...listing].filter(([name]) => isGone(name))
  const ours = new Set(gone.filter(([name, listed]) => isOurs(memory.get(name), listed)).map(([name]) => name))
  const removed = gone.map(([name]) => name).filter((name) => adopts || ours.has(name))
  forget(memory, (name) => isGone(name) && !ours.has(name))
  return {
    ...same,
    removed,
    listing,
    kept: adopts ? [] : gone.map(([name]) => name).filter((name) => !ours.has(name)),
    adopted: adopts ? others.length + removed.length - ours.size : 0,
    changed: adopts ? [...changed, ...others] : changed,
    failed: adopts ? failed : [...failed, ...others.map(conflictOf)],
  }
}

/** Asks if more is removed than an ordinary change removes, or files from elsewhere are replaced. */
const confirmPlan = async ({ context, namespace, prefix }: Job, input: Input, plan: Plan): Promise<void> => {
  const { removed, changed, unchanged, adopted } = plan
  const total = removed.length + changed.length + unchanged.length
  const isMuch = removed.length > total * maxRemovedShare
  if (!isMuch && adopted === 0) return
  const where = `"${namespace}"${prefix === '' ? '' : ` below ${prefix}`}`
  const parts = [
    ...(isMuch
      ? [`remove ${removed.length} of ${total} files from ${where} (more than ${maxRemovedShare * 100} %)`]
      : []),
    ...(adopted > 0 ? [`replace or remove ${adopted} files in ${where} that this folder did not bring`] : []),
  ]
  await confirm(context, input, { what: parts.join(', and '), name: namespace })
}

/** Keeps files that somebody has replaced since the comparison. */
const removeFiles = async ({ context, cairn, memory, namespace }: Job, { removed, listing }: Plan) => {
  const failed: Failure[] = []
  if (removed.length === 0) return failed
  const { signal } = context
  const now = await listFiles(cairn, namespace, signal)
  const isSame = (name: string) => now.get(name)?.lastModified === listing.get(name)?.lastModified
  for (const name of removed) if (!isSame(name)) failed.push({ name, message: 'was replaced or removed meanwhile' })
  const names = removed.filter(isSame)
  const results = names.length === 0 ? [] : await cairn.files.delete(namespace, names, { signal })
  for (const { file_name: name, status, message } of results) {
    // Somebody else has removed it: gone as well.
    if (status === 'deleted' || message === 'File not found') memory.delete(name)
    else failed.push({ name, message })
  }
  memory.save()
  return failed
}

const namesOf = (files: readonly ComparedFile[]): readonly string[] => files.map(({ file }) => file.name)

const dataOf = ({ added, changed, unchanged, removed, kept, failed }: Plan) => ({
  ...{ added: namesOf(added), changed: namesOf(changed), removed, kept, unchanged: unchanged.length, failed },
})

const showPlan = ({ context: { print } }: Job, { added, changed, removed, failed }: Plan): void => {
  const rows = [
    ...namesOf(added).map((name) => `+ ${name}`),
    ...namesOf(changed).map((name) => `~ ${name}`),
    ...removed.map((name) => `- ${name}`),
    ...failed.map(({ name, message }) => `! ${name}: ${message}`),
  ]
  for (const row of rows) print(`${printable(row)}\n`)
}

const countsOf = ({ added, changed, removed, unchanged, failed, kept }: Plan): string => {
  const others = kept.length === 0 ? '' : `; ${kept.length} other files kept`
  return `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchanged.length} unchanged, ${failed.length} failed${others}\n`
}

const parseSyncOptions = (context: Context, input: Input): Job => {
  const [folder, namespace] = [input.argument('folder'), input.text('to') ?? '']
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('invalid', `${folder} is not a folder`)
  const given = input
    .text('prefix')
    ?.normalize('NFC')
    .replace(/^\/+|\/+$/g, '')
  const prefix = given === undefined ? prefixOf(folder) : given && `${given}/`
  const check = checkFileName(`${prefix}a.md`)
  if (!check.ok) throw new AppError('invalid', `--prefix ${check.requirement}`)
  const memory = syncMemory(context.settings, namespace, prefix)
  return { context, cairn: context.cairn(), memory, namespace, folder, prefix, adopts: input.flag('adopt') }
}

export const syncCommand: Command = {
  name: 'sync',
  summary: 'Mirror a folder: add, replace and remove files below a prefix of a text namespace',
  arguments: [{ name: 'folder', description: 'The folder.' }],
  options: {
    to: { type: 'string', value: 'namespace', required: true, description: 'The text namespace.' },
    prefix: {
      type: 'string',
      value: 'prefix',
      description:
        'What the names of the files begin with. Default: the name of the folder; nothing for the current one.',
    },
    adopt: { type: 'boolean', description: 'Treat every file below the prefix as brought by this folder.' },
    'dry-run': { type: 'boolean', description: 'Only show what would be added (+), changed (~) and removed (-).' },
    wait: { type: 'boolean', description: 'Wait until the files are searchable.' },
    yes: yesOption,
  },
  examples: [
    'cairn sync docs --to handbook --dry-run',
    'cairn sync docs --to handbook --wait',
    'cairn sync . --to handbook --prefix manual --adopt --yes',
  ],
  notes: [
    'Removes only files that it has brought. A file that somebody else has uploaded or replaced is never touched, except with --adopt. Asks before it removes more than 20 % of the files. Can be stopped or killed at any time and repeated.',
    'Links, hidden files and folders, node_modules and files of other types are left out.',
  ],
  run: async (context, input) => {
    const job = parseSyncOptions(context, input)
    const { namespace, prefix, memory, folder } = job
    const isDry = input.flag('dry-run')
    if (!isDry) announce(context, folder, `${prefix === '' ? '' : `${prefix} in `}${namespaceOn(context, namespace)}`)
    const plan = await makePlan(job)
    if (isDry) {
      showPlan(job, plan)
      context.print(countsOf(plan))
      return { data: { namespace, prefix, ...dataOf(plan) } }
    }
    await confirmPlan(job, input, plan)
    // Before others are removed, so that a renamed file can be found all the time.
    const result = await transfer(context, [...plan.added, ...plan.changed], {
      ...{ namespace, memory, waits: input.flag('wait') },
    })
    const unremoved = await removeFiles(job, plan)
    memory.save()
    const failed = [...plan.failed, ...result.failed, ...unremoved]
    const sent = new Set(result.sent)
    const isDone = ({ file: { name } }: ComparedFile) => sent.has(name)
    const done: Plan = {
      ...plan,
      ...{ added: plan.added.filter(isDone), changed: plan.changed.filter(isDone), failed },
      removed: plan.removed.filter((name) => !unremoved.some((each) => each.name === name)),
    }
    context.print(countsOf(done))
    describeFailures(context, failed)
    describeNotes(context, result.processed)
    return {
      data: { namespace, prefix, ...dataOf(done), noted: notedOf(result.processed) },
      ...(failed.length === 0 ? {} : { failed: `${failed.length} files failed` }),
    }
  },
}
