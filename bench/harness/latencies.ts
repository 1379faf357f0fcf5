import { connectTo } from './http-load.ts'

export type Asked = {
  /** Milliseconds of each request. */
  readonly times: readonly number[]
  readonly bodies: readonly Buffer[]
}

/** Sends every request once over so many connections, each the next one as soon as its last is answered. Another status than the wanted one rejects. */
export const askAll = async (port: number, clients: number, requests: readonly Buffer[], wanted = 200): Promise<Asked> => {
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
          if (status !== wanted) throw new Error(`answered ${status}: ${body}`)
          bodies[index] = body
        }
      }),
    )
  } finally {
    for (const connection of connections) connection.close()
  }
  return { times, bodies }
}
