import type { ApiKey, CreateKey, UpdateKey } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { generateApiKey, parseApiKey } from '@cairn/runtime/http/api-key'
import { announce, serverOf } from './announce.ts'
import type { Command } from './command.ts'
import { confirm, yesOption } from './confirm.ts'
import { detailsTable, table } from './table.ts'

const account = { name: 'account', description: 'The account id.' }

const create: Command = {
  name: 'keys create',
  summary: 'Create an API key and show it once',
  arguments: [account],
  options: {
    name: { type: 'string', value: 'name', required: true, description: 'What the key is for.' },
    scopes: {
      type: 'string',
      value: 'list',
      description: 'Separated by commas: read, write, admin. Default: all three.',
    },
    expires: { type: 'string', value: 'time', description: 'ISO 8601, such as 2027-01-31T00:00:00Z. Default: never.' },
  },
  examples: ['cairn keys create acc_1 --name ingest --scopes read,write'],
  run: async (context, input) => {
    const { admin, print, signal } = context
    const [scopes, expires] = [input.text('scopes')?.split(','), input.text('expires')]
    const key = {
      name: input.text('name') ?? '',
      ...(scopes && { scopes: scopes.map((scope) => scope.trim()) as NonNullable<CreateKey['scopes']> }),
      ...(expires === undefined ? {} : { expires_at: expires }),
    }
    announce(context, `a new key of ${input.argument('account')}`, serverOf(context))
    const data = await admin().keys.create(input.argument('account'), key, { signal })
    print(
      detailsTable({
        'key id': data.key_id,
        'api key': data.api_key,
        scopes: data.scopes.join(', '),
        expires: data.expires_at ?? 'never',
      }),
    )
    print('Store the key now. It is not shown again, because the server keeps only a hash of it.\n')
    return { data }
  },
}

const list: Command = {
  name: 'keys list',
  summary: "List an account's API keys, without their secrets",
  arguments: [account],
  run: async ({ admin, print, signal }, input) => {
    const keys = await admin().keys.list(input.argument('account'), { signal })
    print(
      table<ApiKey>(
        [
          { title: 'KEY ID', value: (key) => key.key_id },
          { title: 'NAME', value: (key) => key.name },
          { title: 'STATE', value: (key) => key.state },
          { title: 'SCOPES', value: (key) => key.scopes.join(',') },
          { title: 'EXPIRES', value: (key) => key.expires_at ?? 'never' },
          { title: 'LAST USED', value: (key) => key.last_used_at ?? 'never' },
        ],
        keys,
      ),
    )
    return { data: { keys } }
  },
}

const generate: Command = {
  name: 'keys generate',
  summary: 'Print a well-formed key, without a request',
  notes: ['For CAIRN_API_KEY: a server without accounts gives this key to the first account, which it creates.'],
  run: async ({ print }) => {
    const { keyId, apiKey } = generateApiKey()
    print(`${apiKey}\n`)
    return { data: { key_id: keyId, api_key: apiKey } }
  },
}

/** A user who revokes a leaked key often has only the whole key; its secret part is not sent. */
const keyIdOf = (text: string): string => {
  if (!text.startsWith('cairn_')) return text
  const parsed = parseApiKey(text)
  if (!parsed)
    throw new AppError('invalid', 'The API key is malformed: use the key id, the part between the underscores')
  return parsed.keyId
}

const changeState = (verb: string, state: UpdateKey['state'], summary: string): Command => ({
  name: `keys ${verb}`,
  summary,
  arguments: [{ name: 'key', description: 'The key id, or the key itself.' }],
  ...(state === 'revoked' && { options: { yes: yesOption } }),
  notes: ['Takes effect everywhere within 5 seconds. Revoking a key cannot be undone.'],
  run: async (context, input) => {
    const { admin, print, signal } = context
    const keyId = keyIdOf(input.argument('key'))
    if (state === 'revoked') await confirm(context, input, { what: `revoke the key ${keyId} forever`, name: keyId })
    else announce(context, `key ${keyId}: ${state}`, serverOf(context))
    const data = await admin().keys.setState(keyId, state, { signal })
    print(detailsTable({ 'key id': data.key_id, name: data.name, state: data.state }))
    return { data }
  },
})

export const keyCommands: readonly Command[] = [
  create,
  list,
  generate,
  changeState('activate', 'active', 'Activate an inactive key'),
  changeState('deactivate', 'inactive', 'Reject a key with 403 until it is activated'),
  changeState('disable', 'disabled', 'Reject a key with 401 until it is enabled'),
  changeState('enable', 'active', 'Enable a disabled key'),
  changeState('revoke', 'revoked', 'Revoke a key permanently'),
]
