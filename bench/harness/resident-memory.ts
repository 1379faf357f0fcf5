import { readdirSync, readFileSync } from 'node:fs'

/** MiB; 0 of a process that is gone. */
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

/** A process and all below it. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)]

const sampleEveryMs = 50

/** Looks at a process and those below it until `stop`, which resolves to the most each kind had at one time, in MiB. */
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
    /** `child`: the maximum over single descendants. */
    stop: (): { readonly own: number; readonly child: number } => {
      clearInterval(timer)
      sample()
      return { own, child }
    },
  }
}
