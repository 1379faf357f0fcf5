import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@cairn/testing/eventually'

export type Shell = {
  /**
   * Runs commands in the session and resolves to their output. Rejects with the output if a command fails or on a
   * timeout.
   */
  run(code: string): Promise<string>
  /** Starts commands that keep running; resolves when the URL answers with a success status. */
  start(code: string, address: string): Promise<void>
  /** Stops all processes of the session. */
  close(): Promise<void>
}

const runWithinMs = 90_000
const startWithinMs = 40_000
const closeWithinMs = 15_000
const shownLength = 4_000
const done = 'cairn-block-done'

const answers = async (address: string): Promise<boolean> => {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/**
 * Opens a bash session in a separate process group; `preamble` is run first. `scratch` is a folder for temporary files.
 */
export const openShell = async (options: {
  readonly cwd: string
  readonly scratch: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly preamble: string
}): Promise<Shell> => {
  const { cwd, scratch, env, preamble } = options
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const killGroup = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // The process group has already exited.
    }
  }
  process.once('exit', killGroup)
  const ended = once(child, 'exit')
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text))
  child.stdin.on('error', () => undefined)
  let count = 0
  const file = (ending: string) => join(scratch, `block-${count}.${ending}`)
  const output = () => readFileSync(file('out'), 'utf8')
  /** Sends lines to the session and waits until they have been run. */
  const send = async (lines: string): Promise<void> => {
    const before = written.split(done).length
    child.stdin.write(`${lines}\necho ${done}\n`)
    const isDone = () => written.split(done).length > before || child.exitCode !== null || child.signalCode !== null
    await eventually(isDone, Boolean, { withinMs: runWithinMs, everyMs: 10 })
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the session ended with ${child.exitCode ?? child.signalCode}`)
  }
  const failed = (error: unknown) =>
    new Error(`${error instanceof Error ? error.message : error}\n${output().slice(-shownLength)}`)
  const prepare = (code: string) => {
    count += 1
    writeFileSync(file('sh'), `${code}\n`)
    writeFileSync(file('out'), '')
  }
  const run = async (code: string): Promise<string> => {
    prepare(code)
    try {
      await send(`set -e -o pipefail; . '${file('sh')}' >'${file('out')}' 2>&1 </dev/null; set +e`)
      return output()
    } catch (error) {
      throw failed(error)
    }
  }
  await run(preamble)
  return {
    run,
    start: async (code, address) => {
      prepare(code)
      const end = join(scratch, `ended-${count}`)
      try {
        await send(`(. '${file('sh')}' >'${file('out')}' 2>&1 </dev/null; echo $? >'${end}') &`)
        const hasEnded = () => {
          try {
            return readFileSync(end, 'utf8') !== ''
          } catch {
            return false
          }
        }
        await eventually(async () => hasEnded() || (await answers(address)), Boolean, {
          withinMs: startWithinMs,
          everyMs: 50,
        })
        if (hasEnded()) throw new Error('the command ended')
      } catch (error) {
        throw failed(error)
      }
    },
    close: async () => {
      // The signal reaches the child processes; the session itself ignores it and waits for them.
      child.stdin.end("trap '' TERM\nkill -TERM 0\nwait\n")
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, closeWithinMs).unref())])
      killGroup()
      process.off('exit', killGroup)
    },
  }
}
