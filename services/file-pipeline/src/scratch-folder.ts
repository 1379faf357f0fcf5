import { mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export const scratchFolderIn = (parent: string): string => join(parent, `process-${process.pid}`)

const argumentsOf = async (pid: string): Promise<readonly string[]> => {
  try {
    return (await readFile(join('/proc', pid, 'cmdline'), 'utf8')).split('\0')
  } catch {
    // The process has ended meanwhile.
    return []
  }
}

/**
 * Readers usually end when their parent is gone, unless a file keeps them busy. They are recognized by the folder they
 * may write to; without /proc they can't be found.
 */
const endReaders = async (folder: string): Promise<void> => {
  const mayWrite = `--allow-fs-write=${folder}${sep}`
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid) || !(await argumentsOf(pid)).some((argument) => argument.startsWith(mayWrite))) continue
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // The process has ended meanwhile, or belongs to another user.
    }
  }
}

/** Also removes folders and readers of ended processes. */
export const openScratchFolder = async (parent: string): Promise<void> => {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const real = await realpath(parent)
  for (const name of await readdir(real)) {
    const pid = /^process-(\d+)$/.exec(name)?.[1]
    if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    await endReaders(join(real, name))
    await rm(join(real, name), { recursive: true, force: true })
  }
  await mkdir(scratchFolderIn(parent), { recursive: true, mode: 0o700 })
}
