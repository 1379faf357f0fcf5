import { homedir } from 'node:os'
import { join } from 'node:path'

/** Every copy of Cairn on this machine shares the folder, which may be deleted at any time. */
export const defaultCacheDir = (): string => {
  // biome-ignore lint/style/noProcessEnv: a convention of the system, like HOME, not one of our settings
  const cacheHome = process.env.XDG_CACHE_HOME
  return join(cacheHome !== undefined && cacheHome !== '' ? cacheHome : join(homedir(), '.cache'), 'cairn')
}
