import { execFile, spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns the reason why no separate disk can be mounted here; undefined if one can. */
export const whyNoSmallDisk = (): string | undefined => {
  if (process.platform !== 'linux') return 'a small tmpfs is mounted on Linux only'
  if (process.getuid?.() !== 0) return 'mounting a small tmpfs needs root'
  return undefined
}

export type SmallDisk = {
  /** Fills the disk to the last byte. */
  fill(): void
  /** Frees the space that `fill` took. */
  free(): void
  unmount(): Promise<void>
}

/** Mounts an in-memory disk of this size at the folder. */
export const mountSmallDisk = async (folder: string, megabytes: number): Promise<SmallDisk> => {
  await mkdir(folder, { recursive: true })
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder])
  const unmountWithUs = () => void spawnSync('umount', ['--lazy', folder])
  process.once('exit', unmountWithUs)
  const filler = join(folder, 'filler')
  return {
    fill: () => {
      const file = openSync(filler, 'a')
      try {
        for (const size of [1 << 20, 1 << 12]) {
          const block = Buffer.alloc(size, 1)
          // The loop is short because the disk is small.
          while (statfsSync(folder).bavail * statfsSync(folder).bsize >= size) if (writeSync(file, block) < size) break
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
    unmount: async () => {
      await run('umount', [folder])
      process.off('exit', unmountWithUs)
    },
  }
}
