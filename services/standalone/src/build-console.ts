import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../../scripts/build-console.ts', import.meta.url))

/** Builds in a separate process with low priority. Container images have no build script, but the built console. */
export const buildConsole = (onFailure: (detail: string) => void): void => {
  if (!existsSync(script)) return
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.once('error', (error) => onFailure(error.message))
  child.once('close', (code) => (code === 0 ? undefined : onFailure(output.slice(-2_000))))
  child.unref()
  ;(child.stderr as Partial<Socket>).unref?.()
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Has ended, or its priority may not be lowered.
  }
}
