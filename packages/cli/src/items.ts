import type { CairnDocument, Filter } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Command, Context, Input, Option } from './command.ts'
import { confirm, yesOption } from './confirm.ts'
import { downloadFile } from './download.ts'
import { filterOf, filterOption } from './search.ts'
import { printable } from './table.ts'

const fromOption: Option = { type: 'string', value: 'namespace', required: true, description: 'The namespace.' }

export const getCommand: Command = {
  name: 'get',
  summary: 'Print documents by id or the chunks of a file, or download a file',
  arguments: [{ name: 'id', description: 'Ids of documents or chunks.', optional: true, rest: true }],
  options: {
    from: fromOption,
    file: { type: 'string', value: 'name', description: 'All chunks of this file, in reading order, instead of ids.' },
    output: { type: 'string', short: 'o', value: 'path', description: 'With --file: write the original to this path.' },
    yes: { type: 'boolean', description: 'Do not ask before a file is overwritten; required without a terminal.' },
  },
  examples: [
    'cairn get --file docs/guide.md --from handbook',
    'cairn get --file reports/2026.pdf --from handbook -o 2026.pdf',
  ],
  run: async (context, input) => {
    const { cairn, print, signal } = context
    const namespace = input.text('from') ?? ''
    const [ids, file] = [input.rest('id'), input.text('file')]
    if ((ids.length === 0) === (file === undefined)) throw new AppError('invalid', 'Use ids or --file')
    const output = input.text('output')
    if (output !== undefined) {
      if (file === undefined) throw new AppError('invalid', '--output needs --file')
      return downloadFile(context, input, namespace, file, output)
    }
    const show = ({ id, text, metadata }: CairnDocument) =>
      print(`${printable(id)}  ${printable(JSON.stringify(metadata))}\n${text}\n\n`)
    if (file !== undefined) {
      const items: CairnDocument[] = []
      for await (const chunk of cairn().files.chunks(namespace, file, { signal })) {
        show(chunk)
        items.push(chunk)
      }
      return { data: { items } }
    }
    const data = await cairn().documents.get(namespace, ids, { signal })
    data.items.forEach(show)
    const missing = data.not_found_ids.length
    if (missing === 0) return { data }
    return { data, failed: `Not found: ${data.not_found_ids.join(', ')}`, exitCode: 4 }
  },
}

const listOf = (kind: string, names: readonly string[]): string =>
  names.length > 3 ? `${names.length} ${kind}s` : `the ${kind}${names.length === 1 ? '' : 's'} ${names.join(', ')}`

const confirmRemoval = (
  context: Context,
  input: Input,
  namespace: string,
  filter: Filter | undefined,
): Promise<void> => {
  const { cairn, signal } = context
  if (!filter) {
    const what = listOf(input.flag('files') ? 'file' : 'document', input.rest('id'))
    return confirm(context, input, { what: `delete ${what} from "${namespace}"`, name: namespace })
  }
  const details = async () => {
    const counted = await cairn().documents.delete(namespace, { filter, dry_run: true }, { signal })
    return ` (now ${counted.matched_items ?? 0})`
  }
  const what = `delete all documents that pass the filter from "${namespace}"`
  return confirm(context, input, { what, details, name: namespace })
}

export const removeCommand: Command = {
  name: 'rm',
  summary: 'Delete documents by id or by a filter, or files by name',
  arguments: [{ name: 'id', description: 'Ids of documents, or names of files.', optional: true, rest: true }],
  options: {
    from: fromOption,
    files: { type: 'boolean', description: 'Delete files, with all of their chunks.' },
    filter: filterOption,
    yes: yesOption,
    'dry-run': { type: 'boolean', description: 'With --filter: only count what would be deleted.' },
    all: { type: 'boolean', description: 'With --filter: also if it passes items without metadata.' },
  },
  examples: [
    'cairn rm docs/old.md --from handbook --files',
    `cairn rm --from trips --filter '{"key":"year","lt":2020}' --dry-run`,
  ],
  run: async (context, input) => {
    const { cairn, print, signal } = context
    const namespace = input.text('from') ?? ''
    const ids = input.rest('id')
    const { filter } = filterOf(input)
    const isDryRun = input.flag('dry-run')
    if ((ids.length === 0) === (filter === undefined)) throw new AppError('invalid', 'Use ids or --filter')
    const isAll = input.flag('all')
    if (filter === undefined && (isDryRun || isAll))
      throw new AppError('invalid', `${isAll ? '--all' : '--dry-run'} needs --filter`)
    const isFiles = input.flag('files')
    if (isFiles && filter !== undefined) throw new AppError('invalid', 'Files are deleted by name, not by --filter')
    if (!isDryRun) await confirmRemoval(context, input, namespace, filter)
    if (isFiles) {
      const results = await cairn().files.delete(namespace, ids, { signal })
      const failed = results.filter(({ status }) => status === 'error')
      print(`${results.length - failed.length} of ${results.length} files deleted\n`)
      const reasons = failed.map(({ file_name, message }) => `${file_name}: ${message}`).join('; ')
      return { data: { results }, ...(failed.length === 0 ? {} : { failed: reasons }) }
    }
    const data = await cairn().documents.delete(namespace, filter ? { filter, dry_run: isDryRun, all: isAll } : ids, {
      signal,
    })
    const { actual_deletions: deleted, matched_items: matched = 0, unprocessed_ids: unprocessed } = data
    print(isDryRun ? `${matched} documents match; none was deleted\n` : `${deleted} documents deleted\n`)
    const reason = `${unprocessed.length} documents could not be deleted; try again`
    return { data, ...(unprocessed.length === 0 ? {} : { failed: reason }) }
  },
}
