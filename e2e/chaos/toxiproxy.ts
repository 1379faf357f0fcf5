import type { LinkTrouble } from './schedule.ts'

type Toxic = {
  readonly type: 'latency' | 'bandwidth' | 'reset_peer' | 'timeout' | 'limit_data'
  readonly attributes: Readonly<Record<string, number>>
  /** Directions to which the fault applies: `upstream` is towards the engine. */
  readonly streams: readonly ('upstream' | 'downstream')[]
}

const bothWays = ['upstream', 'downstream'] as const

/** Returns the toxic for a fault; undefined for a cut, which disables the whole link. */
export const toxicOf = (trouble: LinkTrouble): Toxic | undefined => {
  switch (trouble.kind) {
    case 'cut':
      return undefined
    case 'slow':
      return {
        type: 'latency',
        attributes: { latency: trouble.latencyMs, jitter: trouble.jitterMs },
        streams: ['downstream'],
      }
    case 'narrow':
      return { type: 'bandwidth', attributes: { rate: trouble.kilobytesPerSecond }, streams: bothWays }
    case 'reset':
      return { type: 'reset_peer', attributes: { timeout: 0 }, streams: ['downstream'] }
    case 'hole':
      return { type: 'timeout', attributes: { timeout: 0 }, streams: bothWays }
    case 'broken off':
      return { type: 'limit_data', attributes: { bytes: trouble.bytes }, streams: ['downstream'] }
  }
}

const answersWithinMs = 5_000

/** Creates a client for the parts of the proxy's API that are used here. */
export const toxiproxy = (port: number) => {
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      // The proxy rejects requests that look like a browser's.
      headers: { 'content-type': 'application/json', 'user-agent': 'cairn-chaos' },
      signal: AbortSignal.timeout(answersWithinMs),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`toxiproxy: ${method} ${path}: ${response.status} ${text}`)
  }
  const toxicName = (type: string, stream: string) => `${type}-${stream}`
  return {
    link: (name: string, listen: number, upstream: number): Promise<void> =>
      ask('POST', '/proxies', {
        name,
        listen: `127.0.0.1:${listen}`,
        upstream: `127.0.0.1:${upstream}`,
        enabled: true,
      }),
    /** Applies a fault; resolves to a function that undoes it. */
    trouble: async (name: string, trouble: LinkTrouble): Promise<() => Promise<void>> => {
      const toxic = toxicOf(trouble)
      if (!toxic) {
        await ask('POST', `/proxies/${name}`, { enabled: false })
        return () => ask('POST', `/proxies/${name}`, { enabled: true })
      }
      const { type, attributes, streams } = toxic
      for (const stream of streams)
        await ask('POST', `/proxies/${name}/toxics`, {
          name: toxicName(type, stream),
          type,
          stream,
          toxicity: 1,
          attributes,
        })
      return async () => {
        for (const stream of streams) await ask('DELETE', `/proxies/${name}/toxics/${toxicName(type, stream)}`)
      }
    },
    /** Restores every link. */
    reset: (): Promise<void> => ask('POST', '/reset'),
  }
}
