import type { OwnUsage } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { usageQuery } from '@cairn/contracts/http/usage'
import type { Command } from './command.ts'
import { type Column, table } from './table.ts'

type Plan = { readonly what: string; readonly used: number; readonly limit: number | null }
type Row = {
  readonly day?: string | undefined
  readonly namespace_name?: string | undefined
  readonly key_id?: string | undefined
  readonly key_name?: string | undefined
  readonly requests: number
  readonly credits: number
}
type History = Pick<OwnUsage, 'by' | 'from' | 'to' | 'other' | 'total'> & { readonly rows: readonly Row[] }

const digits = (value: number): string => value.toLocaleString('en')

const planTable = (rows: readonly Plan[]): string =>
  table<Plan>(
    [
      { title: '', value: ({ what }) => what },
      { title: 'USED', value: ({ used }) => digits(used), right: true },
      { title: 'LIMIT', value: ({ limit }) => (limit === null ? 'unlimited' : digits(limit)), right: true },
    ],
    rows,
  )

const titles: Readonly<Record<History['by'], readonly Column<Row>[]>> = {
  day: [{ title: 'DAY', value: ({ day }) => day }],
  namespace: [{ title: 'NAMESPACE', value: ({ namespace_name: name }) => name }],
  key: [
    { title: 'KEY', value: ({ key_name: name }) => name },
    { title: 'KEY ID', value: ({ key_id: id }) => id },
  ],
}

/** Leaves out rows without requests and credits. */
const historyTable = ({ by, from, to, rows, other, total }: History): string => {
  const counted = table<Row>(
    [
      ...titles[by],
      { title: 'REQUESTS', value: ({ requests }) => digits(requests), right: true },
      { title: 'CREDITS', value: ({ credits }) => digits(credits), right: true },
    ],
    rows.filter(({ requests, credits }) => requests > 0 || credits > 0),
  )
  const rest = other.requests > 0 ? `others: ${digits(other.requests)} requests\n` : ''
  const all = `${from} to ${to}: ${digits(total.requests)} requests, ${digits(total.credits)} credits\n`
  return `${counted}${rest}${all}`
}

export const usageCommand: Command = {
  name: 'usage',
  summary: 'Show the usage of your account, or of any account with the admin key',
  arguments: [{ name: 'account', description: 'The account id, for the operator.', optional: true }],
  options: {
    by: { type: 'string', value: 'group', description: 'day, namespace or key. Default: day.' },
    from: { type: 'string', value: 'day', description: 'The first day, UTC. Default: 29 days before the last.' },
    to: { type: 'string', value: 'day', description: 'The last day, UTC. Default: today.' },
  },
  run: async ({ admin, cairn, print, signal }, input) => {
    const sent = { by: input.text('by'), from: input.text('from'), to: input.text('to') }
    const query = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
    const checked = usageQuery.safeParse(query)
    if (!checked.success) {
      const [issue] = checked.error.issues
      throw new AppError('invalid', `--${issue?.path.join('.')} ${issue?.message}`)
    }
    const account = input.optional('account')
    if (account === undefined) {
      const usage = await cairn().usage(query, { signal })
      const { period, requests, credits } = usage
      print(`${period}\n`)
      print(
        planTable([
          { what: 'requests', ...requests },
          { what: 'credits', used: credits.used, limit: null },
        ]),
      )
      print(`\n${historyTable(usage)}`)
      return { data: usage }
    }
    const data = await admin().accounts.usage(account, query, { signal })
    print(`${data.tier}, ${data.period}\n`)
    print(
      planTable([
        { what: 'requests', ...data.requests },
        { what: 'credits', used: data.credits.used, limit: null },
        { what: 'namespaces', ...data.namespaces },
        { what: 'documents', ...data.documents },
        { what: 'vectors', ...data.vectors },
        { what: 'bytes', ...data.bytes },
        { what: 'open uploads', ...data.open_uploads },
      ]),
    )
    print(`\n${historyTable(data)}`)
    return { data }
  },
}
