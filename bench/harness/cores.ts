import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

// Read before any pinning, because a pinned process sees only one core.
const cores = availableParallelism()

const tasksetWorks = (): boolean => spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

/** Returns the core for the load and the core for the measured process; undefined if processes can't be pinned. */
export const twoCores = (): { readonly load: number; readonly subject: number } | undefined =>
  cores >= 2 && tasksetWorks() ? { load: 0, subject: 1 } : undefined

/**
 * Moves all threads of a process to a core, or back to all cores. Child processes started later inherit the setting.
 */
export const pin = (pid: number, core: number | undefined): void => {
  const cpus = core === undefined ? `0-${cores - 1}` : String(core)
  spawnSync('taskset', ['-a', '-c', '-p', cpus, String(pid)], { stdio: 'ignore' })
}

export const pinSelf = (core: number | undefined): void => pin(process.pid, core)

/** Returns a command that runs on this core; without a core, returns the given command. */
export const onCore = (
  core: number | undefined,
  command: string,
  args: readonly string[],
): readonly [string, readonly string[]] =>
  core === undefined ? [command, args] : ['taskset', ['-c', String(core), command, ...args]]
