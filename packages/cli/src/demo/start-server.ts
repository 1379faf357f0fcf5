import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { AppError } from '@cairn/contracts/errors'
import type { Environment } from '../profiles.ts'

export type Server = { readonly url: string; readonly apiKey: string; readonly dataDir: string; stop(): Promise<void> }

const entry = fileURLToPath(new URL('../../../../services/standalone/src/main.ts', import.meta.url))
const startWithinMs = 60_000
const stopWithinMs = 15_000

// The server has secrets of its own, and must not inherit others.
const own = [
  'CAIRN_SECRET',
  'CAIRN_SECRET_FILE',
  'CAIRN_ADMIN_KEY',
  'CAIRN_ADMIN_KEY_FILE',
  'CAIRN_API_KEY',
  'CAIRN_API_KEY_FILE',
]

/** Deletes the data directory at the stop. `embedder` precedes the environment. */
export const startServer = async (
  env: Environment,
  options: { readonly embedder?: string; readonly signal: AbortSignal },
): Promise<Server> => {
  if (!existsSync(entry))
    throw new AppError(
      'notFound',
      'The code of the server is not installed with this command: start a server, and give its address with --url',
    )
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-demo-'))
  const inherited = Object.fromEntries(Object.entries(env).filter(([name]) => !own.includes(name)))
  const child = spawn(process.execPath, [entry], {
    env: {
      ...inherited,
      ...(options.embedder === undefined ? {} : { CAIRN_EMBEDDER: options.embedder }),
      PORT: '0',
      CAIRN_HOST: 'localhost',
      CAIRN_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
    await ended
    clearTimeout(late)
    rmSync(dataDir, { recursive: true, force: true })
  }
  // The server's own message, or the line of Node's error output that holds it.
  let complaint = 'it exited without a message'
  createInterface({ input: child.stderr }).on('line', (line) => {
    const sentence = /^(?:cairn: |\w*Error(?: \[\w+\])?: )(.+)/.exec(line)?.[1]
    if (sentence !== undefined) complaint = sentence
  })
  try {
    const port = await new Promise<string>((resolve, reject) => {
      const refuse = (why: string) => reject(new AppError('unavailable', `The server did not start: ${why}`))
      const late = AbortSignal.any([options.signal, AbortSignal.timeout(startWithinMs)])
      late.addEventListener('abort', () => refuse('it took too long'), { once: true })
      void ended.then(() => refuse(complaint))
      // Read to the end; a full pipe would block the server.
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /listening on http:\/\/[^\s/]*:(\d+)/.exec(line)?.[1]
        if (found) resolve(found)
      })
    })
    return {
      url: `http://127.0.0.1:${port}`,
      apiKey: readFileSync(join(dataDir, 'api-key'), 'utf8').trim(),
      dataDir,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
