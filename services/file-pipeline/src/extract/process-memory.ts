import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const hasProc = existsSync('/proc/self/status')
const everyMs = 50
/** `ps` is a process itself. */
const everyMsByPs = 500

type Weight = {
  /** Of the process and all below it. */
  readonly now: number
  /** With the most the process itself ever had, which the kernel keeps count of. */
  readonly most: number
}

/** What has ended meanwhile weighs nothing. */
const residentByProc = (pid: number): Weight => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      try {
        return readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean)
      } catch {
        return []
      }
    })
    const below = children.reduce((sum, child) => sum + residentByProc(Number(child)).now, 0)
    return { now: bytes('VmRSS') + below, most: bytes('VmHWM') + below }
  } catch {
    return { now: 0, most: 0 }
  }
}

const runPs = promisify(execFile)

const residentByPs = async (root: number): Promise<Weight> => {
  const { stdout } = await runPs('ps', ['-A', '-o', 'pid=,ppid=,rss='], { maxBuffer: 16 * 1024 * 1024 })
  const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/).map(Number))
  const weigh = (pid: number): number =>
    rows.reduce((sum, [at, parent, kilobytes = 0]) => sum + (at === pid ? kilobytes * 1024 : parent === pid && at ? weigh(at) : 0), 0)
  const now = weigh(root)
  return { now, most: now }
}

export type MemoryWatch = {
  /** The most it ever had, in bytes, as far as that can be known. */
  readonly peak: () => number
  /** Looks once more, where that takes no time. */
  readonly stop: () => void
}

/**
 * Calls `onExceeded` once the process `pid` and its descendants have more than `limitBytes` of resident memory: all of it, which a limit of
 * V8's heap does not see. It looks every 50 ms: a process that is quick has more for a moment. Where there is neither /proc nor `ps`
 * nothing is seen.
 */
export const watchMemory = (pid: number, limitBytes: number, onExceeded: () => void): MemoryWatch => {
  let peak = 0
  let exceeded = false
  let asking = false
  const seen = ({ now, most }: Weight) => {
    peak = Math.max(peak, now, most)
    if (now <= limitBytes || exceeded) return
    exceeded = true
    onExceeded()
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
  return {
    peak: () => peak,
    stop: () => {
      clearInterval(timer)
      if (hasProc) peak = Math.max(peak, residentByProc(pid).most)
    },
  }
}
