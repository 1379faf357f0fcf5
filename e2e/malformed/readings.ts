/** Time and memory of the process that read one file. */
export type Reading = { readonly ms: number; readonly peakBytes: number }

const parsed = (line: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}

/** Returns the readings in a service's log, by the id of the request that uploaded the file, and the log's errors. */
export const readLog = (
  log: string,
): { readonly readings: ReadonlyMap<string, Reading>; readonly errors: readonly string[] } => {
  const readings = new Map<string, Reading>()
  const errors: string[] = []
  for (const line of log.split('\n')) {
    if (/unhandled|uncaught/i.test(line)) errors.push(line.slice(0, 1_000))
    if (!/"level":"(?:error|fatal)"|"msg":"reader"/.test(line)) continue
    const { msg, level, correlationId, ms, peakBytes } = parsed(line) ?? {}
    if (level !== 'info' && !errors.includes(line.slice(0, 1_000))) errors.push(line.slice(0, 1_000))
    if (msg !== 'reader') continue
    const before = readings.get(String(correlationId))
    readings.set(String(correlationId), {
      ms: Math.max(before?.ms ?? 0, Number(ms)),
      peakBytes: Math.max(before?.peakBytes ?? 0, Number(peakBytes)),
    })
  }
  return { readings, errors }
}
