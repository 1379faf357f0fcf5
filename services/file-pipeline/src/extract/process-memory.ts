import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const hasProc = existsSync('/proc/self/status')
const everyMs = 50
/** `ps` is a process itself. */
const everyMsByPs = 500

/** Of the process and all below it; what has ended meanwhile weighs nothing. */
const residentByProc = (pid: number): number => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      try {
        return readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean)
      } catch {
        return []
      }
    })
    return Number(kilobytes ?? 0) * 1024 + children.reduce((sum, child) => sum + residentByProc(Number(child)), 0)
  } catch {
    return 0
  }
}

const runPs = promisify(execFile)

const residentByPs = async (root: number): Promise<number> => {
  const { stdout } = await runPs('ps', ['-A', '-o', 'pid=,ppid=,rss='], { maxBuffer: 16 * 1024 * 1024 })
  const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/).map(Number))
  const weigh = (pid: number): number =>
    rows.reduce((sum, [at, parent, kilobytes = 0]) => sum + (at === pid ? kilobytes * 1024 : parent === pid && at ? weigh(at) : 0), 0)
  return weigh(root)
}

export type MemoryWatch = {
  /** The most that was seen, in bytes. */
  readonly peak: () => number
  readonly stop: () => void
}

/**
 * Calls `onExceeded` once the process `pid` and its descendants have more than `limitBytes` of resident memory: all of it, which a limit of
 * V8's heap does not see. It looks every 50 ms: a process that is quick has more for a moment. Where there is neither /proc nor `ps`
 * nothing is seen.
 */
export const watchMemory = (pid: number, limitBytes: number, onExceeded: () => void): MemoryWatch => {
  let peak = 0
  let asking = false
  const seen = (bytes: number) => {
    const before = peak
    peak = Math.max(peak, bytes)
    if (peak > limitBytes && before <= limitBytes) onExceeded()
  }
  const look = () => {
    if (hasProc) return seen(residentByProc(pid))
    if (asking) return
    asking = true
    residentByPs(pid)
      .then(seen, () => undefined)
      .finally(() => {
        asking = false
      })
  }
  const timer = setInterval(look, hasProc ? everyMs : everyMsByPs)
  return { peak: () => peak, stop: () => clearInterval(timer) }
}
