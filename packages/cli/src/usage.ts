import { adminOperations } from '@cairn/contracts/http/admin'
import type { Command } from './command.ts'
import { table } from './table.ts'

type Row = { readonly what: string; readonly used: number; readonly limit: number | null }

export const usageCommand: Command = {
  name: 'usage',
  summary: 'Show what an account has used of its plan this month',
  arguments: [{ name: 'account', description: 'The account id.' }],
  run: async ({ admin, print }, input) => {
    const { body } = await admin().call(adminOperations.getUsage, { params: { account_id: input.argument('account') } })
    const rows: Row[] = [
      { what: 'requests', ...body.requests },
      { what: 'credits', used: body.credits.used, limit: null },
      { what: 'namespaces', ...body.namespaces },
      { what: 'documents', ...body.documents },
      { what: 'vectors', ...body.vectors },
      { what: 'bytes', ...body.bytes },
      { what: 'open uploads', ...body.open_uploads },
    ]
    print(`${body.tier}, ${body.period}\n`)
    print(
      table<Row>(
        [
          { title: '', value: ({ what }) => what },
          { title: 'USED', value: ({ used }) => used.toLocaleString('en'), right: true },
          { title: 'LIMIT', value: ({ limit }) => limit?.toLocaleString('en') ?? 'unlimited', right: true },
        ],
        rows,
      ),
    )
    return { data: body }
  },
}
