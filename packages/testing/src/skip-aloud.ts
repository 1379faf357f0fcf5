/** Skips the running test and says why: what a reporter shows of it depends on how it was called. */
export const skipAloud = (skip: (why: string) => never, why: string): never => {
  process.stderr.write(`skipped: ${why}\n`)
  return skip(why)
}
