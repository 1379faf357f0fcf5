import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the total size in bytes of the files below a folder; a file that is removed meanwhile counts as 0. */
export const diskUsage = (directory: string): number => {
  try {
    return readdirSync(directory, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => {
        return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
      }, 0)
  } catch {
    return 0
  }
}
