import { cpus, loadavg, totalmem } from 'node:os'

/** What figures depend on and nobody can guess later. */
export const machine = () => ({
  node: process.version,
  system: `${process.platform} ${process.arch}`,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
})

/** Over the last minute: above 1.5 on two cores something else is running. */
export const loadAverage = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100
