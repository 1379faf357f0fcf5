import { slices } from '@cairn/contracts/flow/slices'
import { connectTo } from './http-load.ts'
import { median, percentile } from './judge.ts'
import type { Figure } from './row.ts'

type Latencies = { readonly p50: number; readonly p95: number }

export const latencyFigures: readonly Figure[] = [
  { name: 'p50', unit: 'ms', digits: 2 },
  { name: 'p95', unit: 'ms', digits: 2 },
]

/** Returns the p50 and p95 of times in milliseconds. */
export const latenciesOf = (times: readonly number[]): Latencies => ({
  p50: percentile(times, 0.5),
  p95: percentile(times, 0.95),
})

export type Responses = {
  /** Duration of each request in milliseconds. */
  readonly times: readonly number[]
  readonly bodies: readonly Buffer[]
}

/**
 * Sends every request once over `clients` connections; each connection sends its next request as soon as the last is
 * answered. Rejects on any status but `expected`.
 */
export const sendAll = async (
  port: number,
  clients: number,
  requests: readonly Buffer[],
  expected = 200,
): Promise<Responses> => {
  const connections = await Promise.all(Array.from({ length: clients }, () => connectTo(port)))
  const times: number[] = []
  const bodies: Buffer[] = []
  const waiting = requests.entries()
  try {
    await Promise.all(
      connections.map(async (connection) => {
        for (const [index, request] of waiting) {
          const from = performance.now()
          const { status, body } = await connection.send(request)
          times[index] = performance.now() - from
          if (status !== expected) throw new Error(`answered ${status}: ${body}`)
          bodies[index] = body
        }
      }),
    )
  } finally {
    for (const connection of connections) connection.close()
  }
  return { times, bodies }
}

const parts = 5

/**
 * Sends the requests in five slices, one after the other, and returns the medians of the slices' percentiles, so that a
 * moment of other load on the machine affects only one slice.
 */
export const steadyLatencies = async (
  port: number,
  requests: readonly Buffer[],
  { clients = 1, status = 200 }: { readonly clients?: number; readonly status?: number } = {},
): Promise<Latencies> => {
  const found: Latencies[] = []
  for (const some of slices(requests, Math.ceil(requests.length / parts)))
    found.push(latenciesOf((await sendAll(port, clients, some, status)).times))
  return { p50: median(found.map(({ p50 }) => p50)), p95: median(found.map(({ p95 }) => p95)) }
}
