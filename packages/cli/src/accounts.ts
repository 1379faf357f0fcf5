import type { Account } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { announce, serverOf } from './announce.ts'
import type { Command } from './command.ts'
import { confirm } from './confirm.ts'
import { detailsTable, table } from './table.ts'

const describe = (account: Account): string =>
  detailsTable({
    'account id': account.account_id,
    name: account.name,
    tier: account.tier,
    status: account.status,
    'subscription ends': account.subscription_ends_at ?? 'never',
  })

const create: Command = {
  name: 'accounts create',
  summary: 'Create an account',
  arguments: [{ name: 'name', description: 'The name of the account.' }],
  options: {
    tier: {
      type: 'string',
      value: 'tier',
      required: true,
      description: 'A tier that the server defines.',
    },
  },
  examples: ['cairn accounts create "Acme" --tier professional'],
  run: async (context, input) => {
    const { admin, print, signal } = context
    announce(context, `a new account "${input.argument('name')}"`, serverOf(context))
    const data = await admin().accounts.create(input.argument('name'), input.text('tier') ?? '', { signal })
    print(describe(data))
    return { data }
  },
}

const list: Command = {
  name: 'accounts list',
  summary: 'List all accounts',
  run: async ({ admin, print, signal }) => {
    const accounts = await admin().accounts.list({ signal })
    print(
      table<Account>(
        [
          { title: 'ACCOUNT ID', value: (account) => account.account_id },
          { title: 'NAME', value: (account) => account.name },
          { title: 'TIER', value: (account) => account.tier },
          { title: 'STATUS', value: (account) => account.status },
          { title: 'NAMESPACES', value: (account) => account.namespaces, right: true },
          { title: 'DOCUMENTS', value: (account) => account.documents, right: true },
          { title: 'VECTORS', value: (account) => account.vectors, right: true },
          { title: 'CREATED', value: (account) => account.created_at },
        ],
        accounts,
      ),
    )
    return { data: { accounts } }
  },
}

const update: Command = {
  name: 'accounts update',
  summary: "Change an account's tier or the end of its subscription",
  arguments: [{ name: 'account', description: 'The account id.' }],
  options: {
    tier: { type: 'string', value: 'tier', description: 'The new tier.' },
    'subscription-ends': {
      type: 'string',
      value: 'time',
      description: 'ISO 8601, such as 2027-01-31T00:00:00Z, or never.',
    },
    yes: { type: 'boolean', description: 'Do not ask before a subscription is ended; required without a terminal.' },
  },
  run: async (context, input) => {
    const { admin, print, signal } = context
    const [id, tier] = [input.argument('account'), input.text('tier')]
    const ends = input.text('subscription-ends')
    if (tier === undefined && ends === undefined) throw new AppError('invalid', 'Use --tier or --subscription-ends')
    const changes = {
      ...(tier === undefined ? {} : { tier }),
      ...(ends === undefined ? {} : { subscription_ends_at: ends === 'never' ? null : ends }),
    }
    // An account whose subscription has ended is refused at once.
    if (ends !== undefined && Date.parse(ends) <= Date.now())
      await confirm(context, input, { what: `end the access of the account ${id}`, name: id })
    announce(context, `account ${id}: ${Object.keys(changes).join(', ')}`, serverOf(context))
    const data = await admin().accounts.update(id, changes, { signal })
    print(describe(data))
    return { data }
  },
}

export const accountCommands: readonly Command[] = [create, list, update]
