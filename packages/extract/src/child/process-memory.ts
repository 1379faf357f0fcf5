import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const hasProc = existsSync('/proc/self/status')
const everyMs = 50
const intervalNearLimitMs = 10
/** Longer, because each measurement starts a process. */
const everyMsByPs = 500
const mebibyte = 1024 * 1024
/** Minimum period of extrapolation: a busy process's timer is late, and ending a process takes time. */
const minMsAhead = 3 * intervalNearLimitMs
const minGain = 8 * mebibyte
const maxGain = 24 * mebibyte

type MemoryUse = {
  readonly now: number
  /** Peak of the process itself, counted by the kernel, plus the descendants' current bytes. */
  readonly max: number
}

/** A process that has ended counts as 0. */
const residentByProc = (pid: number): MemoryUse => {
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
    return { now: bytes('VmRSS') + below, max: bytes('VmHWM') + below }
  } catch {
    return { now: 0, max: 0 }
  }
}

const runPs = promisify(execFile)

const residentByPs = async (root: number): Promise<MemoryUse> => {
  const { stdout } = await runPs('ps', ['-A', '-o', 'pid=,ppid=,rss='], { maxBuffer: 16 * 1024 * 1024 })
  const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/).map(Number))
  const memoryOf = (pid: number): number =>
    rows.reduce(
      (sum, [at, parent, kilobytes = 0]) =>
        sum + (at === pid ? kilobytes * 1024 : parent === pid && at ? memoryOf(at) : 0),
      0,
    )
  const now = memoryOf(root)
  return { now, max: now }
}

export type MemoryWatch = {
  readonly peak: () => number
  /** Ends with a last measurement if /proc exists. */
  readonly stop: () => void
}

/**
 * Returns a function that takes each measurement and returns true if the process, at its present growth rate, would
 * exceed `limitBytes` before the next one.
 */
export const memoryCeiling = (limitBytes: number): ((bytes: number, atMs: number) => boolean) => {
  let before = { bytes: Number.POSITIVE_INFINITY, atMs: 0 }
  return (bytes, atMs) => {
    const gapMs = Math.max(1, atMs - before.atMs)
    const gain = ((bytes - before.bytes) / gapMs) * Math.max(minMsAhead, gapMs)
    before = { bytes, atMs }
    return bytes + Math.max(minGain, Math.min(maxGain, gain)) > limitBytes
  }
}

/**
 * Calls `onExceeded` once, when the process and its descendants are about to exceed `limitBytes` of resident memory,
 * including memory outside V8's heap. Measures by /proc, else by `ps`, else not at all.
 */
export const watchMemory = (pid: number, limitBytes: number, onExceeded: () => void): MemoryWatch => {
  const isTooMuch = memoryCeiling(limitBytes)
  let peak = 0
  let exceeded = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const record = ({ now, max }: MemoryUse) => {
    peak = Math.max(peak, now, max)
    const tooMuch = isTooMuch(now, performance.now())
    if (tooMuch && !exceeded) onExceeded()
    exceeded ||= tooMuch
    if (!stopped)
      timer = setTimeout(measure, hasProc ? (now * 2 > limitBytes ? intervalNearLimitMs : everyMs) : everyMsByPs)
  }
  const measure = () => {
    if (hasProc) record(residentByProc(pid))
    else residentByPs(pid).then(record, () => record({ now: 0, max: 0 }))
  }
  timer = setTimeout(measure, everyMs)
  return {
    peak: () => peak,
    stop: () => {
      stopped = true
      clearTimeout(timer)
      if (hasProc) peak = Math.max(peak, residentByProc(pid).max)
    },
  }
}
