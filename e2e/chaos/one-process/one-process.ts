import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLedger } from '@cairn/testing/ledger'
import { recordedClient } from '@cairn/testing/recorded-client'
import { type ServerProcess, startServer } from '../../server-process.ts'
import type { Account } from '../load.ts'
import { askAdmin } from '../system.ts'

/** Opens one server that keeps its directory across restarts, two accounts, and the ledger of their requests. */
export const openOneProcess = async (dataDir: string) => {
  const lives: ServerProcess[] = []
  const current = () => lives.at(-1) as ServerProcess
  /**
   * The server's URL; pending from a kill until the server is ready again, so that no request goes to a dead server.
   */
  let serving = Promise.withResolvers<string>()
  let address = ''
  const start = async (): Promise<void> => {
    lives.push(startServer({ dataDir }))
    current().listening.then(serving.resolve, serving.reject)
    address = await serving.promise
  }
  await start()
  const read = (file: string) => readFileSync(join(dataDir, file), 'utf8').trim()
  const admin = askAdmin(address, read('admin-key'))
  const { account_id: accountId } = await admin<{ account_id: string }>('POST', '/accounts', {
    name: 'the other',
    tier: 'enterprise',
  })
  const { api_key: apiKey } = await admin<{ api_key: string }>('POST', `/accounts/${accountId}/keys`, { name: 'chaos' })
  const accounts: Account[] = [
    { accountId: 'acc_first', apiKey: read('api-key') },
    { accountId, apiKey },
  ]
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
    client: (account: Account) => recordedClient({ url: () => address, ...account, ledger, withinMs: 60_000 }),
    close: async () => {
      for (const life of lives) await life.end('SIGKILL')
    },
  }
}

export type OneProcess = Awaited<ReturnType<typeof openOneProcess>>
