import { readdirSync, readFileSync } from 'node:fs'

/** Processes of this machine whose command line speaks of this folder. */
export const processesOf = (folder: string): { readonly pid: number; readonly command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return command.includes(folder) ? [{ pid: Number(name), command }] : []
      } catch {
        // It has ended meanwhile.
        return []
      }
    })

/** SIGKILL to a process, or, of a negative number, to a group. One that has ended meanwhile is no error. */
export const killNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
