import { readFileSync } from 'node:fs'

/** Kernel ticks per second, the unit of the times in /proc. */
const ticksPerSecond = 100

/** Returns the processor time of all threads of a process so far in seconds, accurate to 0.01 s. */
export const processorSeconds = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
