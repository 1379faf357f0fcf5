import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export const scratchFolderIn = (parent: string): string => join(parent, `process-${process.pid}`)

/** Makes the folder of this process. What processes that are gone have left in theirs is removed. */
export const openScratchFolder = async (parent: string): Promise<void> => {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent)) {
    const pid = /^process-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      await rm(join(parent, name), { recursive: true, force: true })
  }
  await mkdir(scratchFolderIn(parent), { recursive: true, mode: 0o700 })
}
