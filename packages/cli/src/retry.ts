import type { RetrySelection } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Command, Input } from './command.ts'
import { printable } from './table.ts'

const kinds = ['documents', 'files'] as const

const selectionOf = (input: Input): RetrySelection => {
  const [ids, upload, kind] = [input.texts('id'), input.text('upload'), input.text('kind')]
  const [after, before] = [input.text('since'), input.text('before')]
  const reasons = input.texts('reason')
  const shared = { dry_run: input.flag('dry-run'), ...(reasons.length > 0 && { reason: [...reasons] }) }
  const filters = { kind, since: after, before }
  const filter = Object.entries(filters).find(([, value]) => value !== undefined)?.[0]
  if (ids.length > 0 && upload !== undefined) throw new AppError('invalid', 'Use --id or --upload, not both')
  if ((ids.length > 0 || upload !== undefined) && filter !== undefined)
    throw new AppError('invalid', `--${filter} can't be used with --id or --upload`)
  if (ids.length > 0) return { ids: [...ids], ...shared }
  if (upload !== undefined) return { upload_id: upload, ...shared }
  const known = kinds.find((one) => one === kind)
  if (kind !== undefined && !known) throw new AppError('invalid', '--kind must be documents or files')
  return {
    ...shared,
    ...(known && { kind: known }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  }
}

export const retryCommand: Command = {
  name: 'retry',
  summary: 'Retry what failed in a namespace',
  arguments: [{ name: 'namespace', description: 'The namespace.' }],
  options: {
    id: { type: 'string', value: 'id', multiple: true, description: 'Only this document.' },
    upload: { type: 'string', value: 'id', description: 'Only the documents of this upload.' },
    kind: { type: 'string', value: 'kind', description: 'Only documents, or only files.' },
    reason: {
      type: 'string',
      value: 'reason',
      multiple: true,
      description: 'Only what failed for this reason. Permanent reasons are retried only if they are named.',
    },
    since: { type: 'string', value: 'time', description: 'Only what failed at this time or later, in ISO 8601.' },
    before: { type: 'string', value: 'time', description: 'Only what failed before this time.' },
    'dry-run': { type: 'boolean', description: 'Only count what would be retried.' },
  },
  run: async ({ cairn, print, signal }, input) => {
    const data = await cairn().retry(input.argument('namespace'), selectionOf(input), { signal })
    const what = input.flag('dry-run') ? 'would be retried' : 'queued for retry'
    print(`${data.documents} documents and ${data.files} files ${what}\n`)
    for (const { kind, reason, count, message, remedy, names = [] } of data.refused) {
      print(`${printable(`${count} ${kind} not retried (${reason}): ${message} ${remedy}`)}\n`)
      for (const name of names) print(`  ${printable(name)}\n`)
      if (names.length > 0 && count > names.length) print(`  and ${count - names.length} more\n`)
    }
    const refused = data.refused.reduce((sum, { count }) => sum + count, 0)
    return { data, ...(refused === 0 ? {} : { failed: `${refused} could not be retried` }) }
  },
}
