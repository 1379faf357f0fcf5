import { AppError } from '@cairn/contracts/errors'
import { adminOperations } from '@cairn/contracts/http/admin'
import type { Answer } from './client.ts'
import type { Command } from './command.ts'
import { record, table } from './table.ts'

type Account = Answer<typeof adminOperations.createAccount>['body']

const describe = (account: Account): string =>
  record({
    'account id': account.account_id,
    name: account.name,
    tier: account.tier,
    status: account.status,
    'subscription ends': account.subscription_ends_at ?? 'never',
  })

const create: Command = {
  name: 'accounts create',
  summary: 'Create an account',
  arguments: [{ name: 'name', description: 'What the account is called.' }],
  options: {
    tier: {
      type: 'string',
      value: 'tier',
      required: true,
      description: 'One of the tiers the server was started with.',
    },
  },
  run: async ({ admin, print }, input) => {
    const { body } = await admin().call(adminOperations.createAccount, {
      body: { name: input.argument('name'), tier: input.text('tier') },
    })
    print(describe(body))
    return { data: body }
  },
}

const list: Command = {
  name: 'accounts list',
  summary: 'List all accounts',
  run: async ({ admin, print }) => {
    const { body } = await admin().call(adminOperations.listAccounts)
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
        body.accounts,
      ),
    )
    return { data: body }
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
  },
  run: async ({ admin, print }, input) => {
    const tier = input.text('tier')
    const ends = input.text('subscription-ends')
    if (tier === undefined && ends === undefined) throw new AppError('invalid', 'Give --tier or --subscription-ends')
    const { body } = await admin().call(adminOperations.updateAccount, {
      params: { account_id: input.argument('account') },
      body: { tier, ...(ends === undefined ? {} : { subscription_ends_at: ends === 'never' ? null : ends }) },
    })
    print(describe(body))
    return { data: body }
  },
}

export const accountCommands: readonly Command[] = [create, list, update]
