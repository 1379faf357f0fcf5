import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const heartbeatMs = 2_000
const staleAfterMs = 20_000

const readLock = (file) => {
  try {
    return { token: readFileSync(file, 'utf8'), ageMs: Date.now() - statSync(file).mtimeMs }
  } catch {
    return undefined
  }
}

const tryTake = (file, token) => {
  try {
    writeFileSync(file, token, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Removes the lock of a holder that died, but never one that was taken in the meantime by another waiter. */
const breakLock = (file, token) => {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (readFileSync(aside, 'utf8') !== token) linkSync(aside, file)
  } catch {
  } finally {
    rmSync(aside, { force: true })
  }
}

/**
 * Runs `work` while holding the lock `file`, so that only one process runs it at a time. A holder touches its lock
 * while it lives; a lock that has not been touched for 20 s counts as abandoned. `what` is printed while others wait.
 */
export const withInstallLock = async (file, work, what = 'installs dependencies') => {
  const token = `${process.pid} ${Date.now()} ${Math.random()}\n`
  let waiting = false
  while (!tryTake(file, token)) {
    const lock = readLock(file)
    if (lock && lock.ageMs > staleAfterMs) breakLock(file, lock.token)
    else {
      if (!waiting) process.stderr.write(`cairn: waiting for another process that ${what}\n`)
      waiting = true
      await wait(250)
    }
  }
  const heartbeat = setInterval(() => {
    try {
      const now = new Date()
      utimesSync(file, now, now)
    } catch {}
  }, heartbeatMs)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    if (readLock(file)?.token === token) rmSync(file, { force: true })
  }
}
