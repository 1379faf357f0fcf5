import { readdirSync, readFileSync } from 'node:fs'

/** Returns the processes of this machine whose command line contains this folder. */
export const processesOf = (folder: string): { readonly pid: number; readonly command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return command.includes(folder) ? [{ pid: Number(name), command }] : []
      } catch {
        // The process has exited meanwhile.
        return []
      }
    })

/**
 * Sends SIGKILL to a process, or to a process group if the id is negative. Ignores a process that has already exited.
 */
export const killNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
