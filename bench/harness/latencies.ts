import { slices } from '@cairn/contracts/slices'
import { connectTo } from './http-load.ts'
import { median, percentile } from './judge.ts'

export type Asked = {
  /** Milliseconds of each request. */
  readonly times: readonly number[]
  readonly bodies: readonly Buffer[]
}

/**
 * Sends every request once over `clients` connections, each the next one as soon as its last is answered. Rejects on
 * any status but `expected`.
 */
export const sendAll = async (
  port: number,
  clients: number,
  requests: readonly Buffer[],
  expected = 200,
): Promise<Asked> => {
  const connections = await Promise.all(Array.from({ length: clients }, () => connectTo(port)))
  const times: number[] = []
  const bodies: Buffer[] = []
  let next = 0
  try {
    await Promise.all(
      connections.map(async (connection) => {
        for (;;) {
          const index = next
          next += 1
          const request = requests[index]
          if (!request) return
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
 * Milliseconds: the median of the percentiles of five slices of the requests, asked one after the other. One second in which the machine
 * was elsewhere is a tail of its own slice alone.
 */
export const steadyPercentiles = async (
  port: number,
  clients: number,
  requests: readonly Buffer[],
  { shares, status }: { readonly shares: readonly number[]; readonly status?: number },
): Promise<number[]> => {
  const of: number[][] = []
  for (const some of slices(requests, Math.ceil(requests.length / parts))) {
    const { times } = await sendAll(port, clients, some, status)
    of.push(shares.map((share) => percentile(times, share)))
  }
  return shares.map((_, index) => median(of.map((percentiles) => percentiles[index] as number)))
}
