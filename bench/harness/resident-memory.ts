import { readdirSync, readFileSync } from 'node:fs'

/** Returns the resident memory in MiB; 0 for a process that has exited. */
export const residentMb = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

const childrenOf = (pid: number): number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** Returns the ids of a process and all its descendants. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)]

const sampleEveryMs = 50

/** Samples a process and its descendants until `stop`, which returns the maxima in MiB. */
export const watchResident = (pid: number) => {
  let own = 0
  let child = 0
  const sample = () => {
    own = Math.max(own, residentMb(pid))
    for (const below of treeOf(pid).slice(1)) child = Math.max(child, residentMb(below))
  }
  sample()
  const timer = setInterval(sample, sampleEveryMs)
  return {
    /** `own`: maximum of the process; `child`: maximum over single descendants. */
    stop: (): { readonly own: number; readonly child: number } => {
      clearInterval(timer)
      sample()
      return { own, child }
    },
  }
}
