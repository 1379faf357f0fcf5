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
    // It has ended meanwhile.
    return []
  }
}

/**
 * A process that reads a file ends when it notices that the one that asked it is gone; one that a file keeps busy for ever notices
 * nothing. Known by the folder it may write to. Where there is no /proc there is nothing to be known.
 */
const endReaders = async (folder: string): Promise<void> => {
  const mayWrite = `--allow-fs-write=${folder}${sep}`
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid) || !(await argumentsOf(pid)).some((argument) => argument.startsWith(mayWrite))) continue
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended meanwhile, or is somebody else's.
    }
  }
}

/** Makes the folder of this process. What processes that are gone have left, in theirs or still at work there, is removed. */
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
