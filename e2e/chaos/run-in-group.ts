import { spawn } from 'node:child_process'
import { killNow } from './processes-of.ts'

export type GroupRun = {
  /** Resolves to the standard output; rejects with the standard error when the command fails or takes too long. */
  readonly done: Promise<string>
  /**
   * Sends SIGKILL to the process group; processes that moved to another session are not affected. Synchronous, so it
   * can be called in an exit handler.
   */
  kill(): void
}

/** Runs a command in a separate process group, so that it can be killed together with its child processes. */
export const runInGroup = (
  file: string,
  args: readonly string[],
  { env, timeoutMs }: { readonly env: Readonly<Record<string, string | undefined>>; readonly timeoutMs: number },
): GroupRun => {
  const child = spawn(file, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const { promise: done, resolve, reject } = Promise.withResolvers<string>()
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killNow(-child.pid)
  }
  const late = setTimeout(kill, timeoutMs)
  let [out, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.once('error', reject)
  child.once('close', (code, signal) => {
    clearTimeout(late)
    if (code === 0) resolve(out)
    else reject(new Error(`${file} ${args.join(' ')} ended with ${code ?? signal}\n${errors}`))
  })
  return { done, kill }
}
