import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { run, type Terminal } from './run.ts'

const stopped = new AbortController()

const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() })

const ask = (question: string, output: NodeJS.WritableStream = process.stderr): Promise<string> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output, terminal: true })
    // A key press here, not a signal: it ends the question without an answer, like the end of the input.
    lines.once('SIGINT', () => {
      stopped.abort()
      lines.close()
    })
    lines.once('close', () => resolve(''))
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })

/** Asks without an echo: readline puts the terminal into raw mode, and writes what is typed nowhere. */
const askSecret = async (question: string): Promise<string> => {
  process.stderr.write(question)
  const answer = await ask('', silent())
  process.stderr.write('\n')
  return answer
}

/** Sets the exit code. */
export const runProcess = async (checkout: Pick<Terminal, 'embedder' | 'reader'>): Promise<void> => {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort())
  // `cairn … | head` closes the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  process.exitCode = await run(process.argv.slice(2), {
    // biome-ignore lint/style/noProcessEnv: main.ts and published.ts both start here
    env: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    width: process.stdout.isTTY ? process.stdout.columns : undefined,
    // Leaves text unchanged for a stream that is not a terminal, and with NO_COLOR.
    style: (stream, format, text) =>
      styleText(format, text, { stream: stream === 'out' ? process.stdout : process.stderr }),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
    ...(process.stdin.isTTY ? { askSecret } : {}),
    stdin: process.stdin,
    signal: stopped.signal,
    ...checkout,
  })
}
