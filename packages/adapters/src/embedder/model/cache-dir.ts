import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Default folder for downloads, which may be deleted at any time and is shared by every copy of Cairn on this machine.
 */
export const defaultCacheDir = (): string => {
  // biome-ignore lint/style/noProcessEnv: the system's convention and not one of our settings, as HOME is, which homedir() reads
  const cacheHome = process.env.XDG_CACHE_HOME
  return join(cacheHome !== undefined && cacheHome !== '' ? cacheHome : join(homedir(), '.cache'), 'cairn')
}
