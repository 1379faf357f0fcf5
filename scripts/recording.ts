// Records first steps as docs/images/first-steps.svg:
//
//     node scripts/recording.ts
//
// The commands run in a checkout without data against a real server, on a pseudo-terminal of `script` (util-linux).
// Output and timing are real, except that pauses of more than two seconds are shortened and the typing is simulated.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePorts } from '../e2e/chaos/free-ports.ts'
import { createCheckout } from '../e2e/pages/checkout.ts'
import { drawRecording, playTerminal, shortenPauses, type TerminalEvent } from './lib/recording.ts'

const picture = join(import.meta.dirname, '../docs/images/first-steps.svg')
const columns = 128
const rows = 24
const commands = [
  'cairn ns create handbook',
  'cairn add docs/guides --to handbook --wait',
  'cairn search "can I try another model without downtime?" --in handbook --top 3',
  'cairn ask "how do I keep a folder up to date?" --in handbook --top 2',
]
const commandWithinMs = 300_000
/** Typing is simulated: several characters appear at once. */
const [typedAtOnce, typedEveryMs] = [3, 110]
const [thinkMs, maxPauseMs, holdMs] = [1_200, 2_000, 6_000]

const main = async (): Promise<void> => {
  const [port = 0] = await freePorts(1)
  const checkout = createCheckout()
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(CAIRN_|OTEL_|npm_|PORT$|CI$|NODE_ENV$)/.test(name),
  )
  const env = {
    ...Object.fromEntries(inherited),
    PATH: [checkout.bin, dirname(process.execPath), process.env['PATH']].join(':'),
    TERM: 'xterm',
    npm_config_loglevel: 'silent',
    CAIRN_URL: `http://localhost:${port}`,
    PORT: String(port),
  }
  const events: TerminalEvent[] = []
  /** Current time of the recording, which advances only while commands run or text is typed. */
  let now = 0
  const write = (text: string, afterMs = 0) => {
    now += afterMs
    events.push({ atMs: now, text })
  }
  /** Replaces paths, ports, API keys and console codes of this machine. */
  const clean = (text: string) =>
    text
      .replaceAll(checkout.folder, '.')
      .replaceAll(`localhost:${port}`, 'localhost:3000')
      .replace(/#code=[A-Za-z0-9_-]+/g, '#code=…')
      .replace(/cairn_[A-Za-z0-9_.-]{8,}/g, 'cairn_…')
  const type = (command: string) => {
    // No pause before the first prompt, so that the recording does not open with an empty screen.
    write('$ ', events.length === 0 ? 0 : thinkMs)
    write('', thinkMs)
    for (let index = 0; index < command.length; index += typedAtOnce)
      write(command.slice(index, index + typedAtOnce), typedEveryMs)
    write('\r\n', thinkMs / 2)
  }
  /** Runs a command and records its output until it exits, or until `isEnough` returns true. */
  const record = async (command: string, isEnough: (written: string) => boolean = () => false) => {
    type(command)
    const args = ['-qfec', `stty cols ${columns} rows ${rows}; exec ${command}`, '/dev/null']
    const child = spawn('script', args, { cwd: checkout.folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const begun = { at: performance.now(), now }
    let written = ''
    const enough = Promise.withResolvers<void>()
    let isRecorded = true
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text
      if (!isRecorded) return
      now = begun.now + performance.now() - begun.at
      write(clean(text))
      if (isEnough(written)) enough.resolve()
    })
    const ended = once(child, 'exit')
    const late = setTimeout(() => child.kill('SIGKILL'), commandWithinMs)
    const [code] = (await Promise.race([ended, enough.promise.then(() => [0])])) as [number | null]
    clearTimeout(late)
    isRecorded = false
    if (code !== 0) throw new Error(`${command} ended with ${code}:\n${written}`)
    return { child, ended }
  }

  let server: Awaited<ReturnType<typeof record>> | undefined
  try {
    server = await record('npm start', (written) => /model\s+ready/.test(written))
    write('\r\n# in another terminal\r\n', thinkMs)
    for (const command of commands) await record(command)
    write('$ ', thinkMs)
  } finally {
    // `script` forwards SIGTERM to the command that it runs.
    server?.child.kill('SIGTERM')
    await server?.ended
    checkout.remove()
  }
  const title = `Terminal recording: npm start, then ${commands.join(', then ')}`
  const drawn = drawRecording(playTerminal(shortenPauses(events, maxPauseMs), columns), {
    title,
    columns,
    rows,
    holdMs,
  })
  writeFileSync(picture, drawn)
  console.log(`${picture}: ${(drawn.length / 1_000).toFixed(0)} kB, ${events.length} events`)
}

await main()
