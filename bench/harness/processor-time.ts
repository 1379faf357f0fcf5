import { readFileSync } from 'node:fs'

/** The kernel's, for the times in /proc. */
const ticksPerSecond = 100

/** Processor time of all threads of a process so far, in seconds, to a hundredth. */
export const processorSeconds = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
