import { duration } from '../duration.ts'

export type ProgressOptions = {
  readonly write: (text: string) => void
  /** The line is overwritten in place; otherwise a new one is written every 2 s. */
  readonly isTerminal: boolean
  /** Monotonic milliseconds. */
  readonly now: () => number
}

export type Progress = {
  /** `remark` explains a delay. */
  show(done: number, total: number, remark?: string): void
  end(): void
  /** Counts from the creation of the progress line. */
  seconds(): number
}

const lineEveryMs = 2_000

export const rate = (done: number, seconds: number): string => (seconds > 0 ? (done / seconds).toFixed(1) : '0.0')

/** Creates a line that is updated live: `  indexing  128 of 164 documents, 14.2/s, 2.5 s left`. */
export const createProgress = ({ write, isTerminal, now }: ProgressOptions): Progress => {
  const startedAt = now()
  const seconds = () => (now() - startedAt) / 1_000
  let last = ''
  let writtenAt = Number.NEGATIVE_INFINITY
  return {
    seconds,
    show: (done, total, remark) => {
      const left = done > 0 && done < total ? `, ${duration((seconds() * (total - done)) / done)} left` : ''
      const line = `  indexing  ${done} of ${total} documents, ${rate(done, seconds())}/s${left}${remark ? ` (${remark})` : ''}`
      if (line === last || (!isTerminal && done < total && now() - writtenAt < lineEveryMs)) return
      last = line
      writtenAt = now()
      write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`)
    },
    end: () => write(isTerminal && last !== '' ? '\n' : ''),
  }
}
