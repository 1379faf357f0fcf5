import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLedger } from '@cairn/testing/ledger'
import { recordedClient } from '@cairn/testing/recorded-client'
import { type ServerProcess, startServer } from '../server-process.ts'
import type { Account } from './load.ts'

const admin = async <T>(url: string, adminKey: string, path: string, body: object): Promise<T> => {
  const response = await fetch(`${url}/admin/v1${path}`, {
    method: 'POST',
    headers: { 'x-admin-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Opens a server that keeps its directory across restarts, two accounts, and the ledger of their requests. */
export const openSystem = async (dataDir: string) => {
  const lives: ServerProcess[] = []
  const current = () => lives.at(-1) as ServerProcess
  /**
   * The server's URL; pending from a kill until the server is ready again, so that no request goes to a dead server.
   */
  let serving = Promise.withResolvers<string>()
  const start = (): Promise<string> => {
    lives.push(startServer({ dataDir }))
    current().listening.then(serving.resolve, serving.reject)
    return serving.promise
  }
  const url = await start()
  const adminKey = readFileSync(join(dataDir, 'admin-key'), 'utf8').trim()
  const accounts: Account[] = [
    { accountId: 'acc_first', apiKey: readFileSync(join(dataDir, 'api-key'), 'utf8').trim() },
  ]
  const { account_id: accountId } = await admin<{ account_id: string }>(url, adminKey, '/accounts', {
    name: 'the other',
    tier: 'enterprise',
  })
  const { api_key: apiKey } = await admin<{ api_key: string }>(url, adminKey, `/accounts/${accountId}/keys`, {
    name: 'crash test',
  })
  accounts.push({ accountId, apiKey })
  const ledger = createLedger()
  return {
    accounts,
    ledger,
    start,
    url: () => serving.promise,
    end: (signal: 'SIGTERM' | 'SIGKILL') => {
      serving = Promise.withResolvers()
      return current().end(signal)
    },
    output: () => lives.map((life) => life.output()).join(''),
    client: (account: Account, at: string) => recordedClient({ url: () => at, ...account, ledger, withinMs: 60_000 }),
    close: async () => {
      for (const life of lives) await life.end('SIGKILL')
    },
  }
}

export type System = Awaited<ReturnType<typeof openSystem>>
