import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const beatMs = 2_000
/** A lock not renewed for this long counts as abandoned. */
const deadAfterMs = 30_000
const pollMs = 250

/**
 * Runs `work` while no other process of this machine does. The lock only avoids double work: callers must tolerate two
 * holders (a sleeping laptop, two processes that find an abandoned lock at once). While another process holds it,
 * `done` is called repeatedly, and its result ends the wait.
 */
export const oneAtATime = async <T>(
  lock: string,
  {
    done,
    waiting,
    signal,
  }: { readonly done: () => Promise<T | undefined>; readonly waiting: () => void; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> => {
  for (;;) {
    const result = await done()
    if (result !== undefined) return result
    if (await take(lock)) break
    waiting()
    await pause(pollMs, undefined, { signal })
  }
  const beat = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => undefined), beatMs)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await rm(lock, { recursive: true, force: true })
  }
}

const take = async (lock: string): Promise<boolean> => {
  try {
    await mkdir(lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const heldSince = await stat(lock).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
  if (heldSince !== undefined && Date.now() - heldSince > deadAfterMs) {
    // Renamed before it is removed, so that only one of several processes that find it abandoned succeeds.
    const dead = `${lock}-${process.pid}-${Date.now()}`
    await rename(lock, dead).then(
      () => rm(dead, { recursive: true, force: true }),
      () => undefined,
    )
  }
  return false
}
