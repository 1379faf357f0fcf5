import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Canaries = {
  /** A file that files speak of. */
  readonly file: string
  /** Content of that file, found nowhere else. */
  readonly secret: string
  /** An address that files speak of. */
  readonly url: string
  /** Connections that were made to it, whether anything was said on them or not. */
  readonly connections: () => number
  /** Also when this process ends by itself. */
  readonly close: () => void
}

/** What a careless reader of files would read and call. */
export const openCanaries = async (): Promise<Canaries> => {
  let connections = 0
  const server = createServer((_, response) => response.end('canary')).on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'cairn-canary-'))
  const file = join(folder, 'canary.txt')
  const secret = `canary ${randomUUID()}`
  writeFileSync(file, `${secret}\n`)
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  return {
    file,
    secret,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/canary`,
    connections: () => connections,
    close: () => {
      server.close()
      server.closeAllConnections()
      removeFolder()
      process.off('exit', removeFolder)
    },
  }
}
