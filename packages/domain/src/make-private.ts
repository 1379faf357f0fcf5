import { chmodSync } from 'node:fs'

/**
 * Makes a file or folder its owner's alone, if it exists. One of another owner, such as the root of a mounted volume,
 * stays as it is: only the owner may change its mode.
 */
export const makePrivate = (path: string, mode: 0o600 | 0o700): void => {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EPERM', 'ENOENT'].includes(code)) throw error
  }
}
