import { chmodSync } from 'node:fs'

/**
 * Does nothing to a missing path, or one of another owner, such as the root of a mounted volume, who alone may change
 * it.
 */
export const makePrivate = (path: string, mode: 0o600 | 0o700): void => {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EPERM', 'ENOENT'].includes(code)) throw error
  }
}
