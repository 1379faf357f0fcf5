import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalServer } from '@cairn/testing/local-server'

export type Canaries = {
  /** Path of the file. */
  readonly file: string
  /** Content of `file`, found nowhere else. */
  readonly secret: string
  readonly url: string
  /** Returns the number of connections made to `url`. */
  readonly connections: () => number
  readonly close: () => void
}

/**
 * Creates a file and starts a server that malformed files refer to. No reader may open the file or connect to the
 * server.
 */
export const openCanaries = async (): Promise<Canaries> => {
  let connections = 0
  const { server, url, close } = await startLocalServer((_, response) => response.end('canary'))
  server.on('connection', () => {
    connections += 1
  })
  const folder = mkdtempSync(join(tmpdir(), 'cairn-canary-'))
  const file = join(folder, 'canary.txt')
  const secret = `canary ${randomUUID()}`
  writeFileSync(file, `${secret}\n`)
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  return {
    file,
    secret,
    url: `${url}/canary`,
    connections: () => connections,
    close: () => {
      void close()
      removeFolder()
      process.off('exit', removeFolder)
    },
  }
}
