import { Cairn, CairnError } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { parseApiKey } from '@cairn/runtime/http/api-key'
import type { Command, Context, Input } from './command.ts'
import { readProfiles, writeProfile } from './profiles.ts'
import { checkUrl } from './settings.ts'
import { detailsTable } from './table.ts'

/** More than any key has; the rest of standard input is not read. */
const maxKeyBytes = 4_096
const noScope = 'Forbidden: Insufficient permissions'

const readKey = async ({ stdin }: Context): Promise<string> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of stdin) {
    bytes += part.length
    if (bytes > maxKeyBytes) throw new AppError('invalid', 'Standard input is not an API key: it is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8').trim()
}

/** Throws if the server does not accept the key. */
const checkKey = async (url: string, apiKey: string, signal: AbortSignal): Promise<void> => {
  try {
    await new Cairn({ url, apiKey }).usage({}, { signal })
  } catch (error) {
    // A key without the scope `read` may not see the usage, but it is accepted.
    if (!(error instanceof CairnError && error.code === 'forbidden' && error.message === noScope)) throw error
  }
}

const status = async ({ settings, print, signal }: Context) => {
  const { url, urlOrigin, env } = settings
  const { value, origin } = settings.findApiKey()
  const keyId = parseApiKey(value)?.keyId
  print(detailsTable({ server: url, 'address from': urlOrigin, 'key from': origin, 'key id': keyId }))
  const profiles = [...readProfiles(env)].map(([name, each]) => ({ name, url: each.url }))
  const data = { url, url_from: urlOrigin, key_from: origin, key_id: keyId ?? null, profiles }
  try {
    await checkKey(url, value, signal)
  } catch (error) {
    if (!(error instanceof CairnError && (error.code === 'unauthenticated' || error.code === 'forbidden'))) throw error
    return { data: { ...data, accepted: false }, failed: error.message, exitCode: 3 as const }
  }
  print('The server accepts the key\n')
  return { data: { ...data, accepted: true } }
}

const addressOf = async ({ settings, ask }: Context, input: Input): Promise<string> => {
  if (!ask && settings.isUrlFound)
    throw new AppError('invalid', 'Name the server that gets the key: --url or CAIRN_URL')
  if (!ask || input.text('url')) return settings.url
  return checkUrl((await ask(`Address of the server [${settings.url}]: `)).trim() || settings.url)
}

export const loginCommand: Command = {
  name: 'login',
  summary: 'Store the address of a server and an API key in a profile',
  options: { status: { type: 'boolean', description: 'Show which server and which key are used, and check the key.' } },
  examples: ['cairn login', 'cairn login --url https://cairn.example.org --profile work', 'cairn login --status'],
  notes: [
    'The key is read from the terminal without being shown, else from standard input: cairn login --url https://cairn.example.org < key.txt. It is stored only if the server accepts it, in profiles.json in XDG_CONFIG_HOME/cairn or ~/.config/cairn, which only you can read.',
    'CAIRN_URL and CAIRN_API_KEY take precedence over the profile, --profile over both. A key of a profile or of a data directory is sent only to the address stored with it, CAIRN_API_KEY only to an address that --url, --profile or the environment names.',
  ],
  createsProfile: true,
  run: async (context, input) => {
    const { settings, askSecret, print, signal } = context
    if (input.flag('status')) return status(context)
    const url = await addressOf(context, input)
    signal.throwIfAborted()
    const apiKey = askSecret ? (await askSecret(`API key of ${url} (not shown): `)).trim() : await readKey(context)
    signal.throwIfAborted()
    if (apiKey === '') throw new AppError('invalid', 'There is no key: enter one, or pass it as standard input')
    await checkKey(url, apiKey, signal)
    writeProfile(settings.env, settings.profile, { url, api_key: apiKey })
    print(`Logged in to ${url} (profile ${settings.profile})\n`)
    return { data: { profile: settings.profile, url, key_id: parseApiKey(apiKey)?.keyId ?? null } }
  },
}

export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Remove a profile with its key from this machine',
  examples: ['cairn logout --profile work'],
  notes: ['The key stays valid; "cairn keys revoke" ends it.'],
  createsProfile: true,
  run: async ({ settings: { env, profile }, print }) => {
    const { url } = readProfiles(env).get(profile) ?? {}
    if (url === undefined) throw new AppError('notFound', `There is no profile "${profile}"`)
    writeProfile(env, profile, undefined)
    print(`Logged out of ${url} (profile ${profile})\n`)
    return { data: { profile, url } }
  },
}
