/** Skips the running test and prints the reason, because not every test reporter shows it. */
export const skipAloud = (skip: (why: string) => never, why: string): never => {
  process.stderr.write(`skipped: ${why}\n`)
  return skip(why)
}
