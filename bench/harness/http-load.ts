import { connect, type Socket } from 'node:net'

/** A request as bytes, rewritten before each sending: the ids change, the length does not. */
export type Request = { readonly bytes: Buffer; refresh(): void }

export type Load = {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  /** Creates the request of each connection. */
  readonly request: () => Request
  readonly status: number
}

const headersEnd = Buffer.from('\r\n\r\n')
const lengthPattern = /\r\ncontent-length: (\d+)/i

// Why not autocannon: its latencies are whole milliseconds without p95, it keeps no responses, and with a new body for
// each request it takes two to four times the processor time of this code, so that a row would measure autocannon.

/** Opens a connection for one request at a time: callers of `send` must wait for the previous response. */
export const connectTo = async (port: number) => {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let received: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  let answered: ((answer: { status: number; body: Buffer } | Error) => void) | undefined
  const settle = (answer: { status: number; body: Buffer } | Error) => {
    const settleOne = answered
    answered = undefined
    settleOne?.(answer)
  }
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const end = received.indexOf(headersEnd)
    if (end < 0) return
    const head = received.toString('latin1', 0, end)
    const bodyLength = Number(lengthPattern.exec(head)?.[1] ?? Number.NaN)
    if (Number.isNaN(bodyLength)) return settle(new Error(`an answer without a length: ${head}`))
    if (received.length < end + 4 + bodyLength) return
    const body = received.subarray(end + 4, end + 4 + bodyLength)
    received = Buffer.alloc(0)
    settle({ status: Number(head.slice(9, 12)), body })
  })
  socket.on('error', settle)
  socket.on('close', () => settle(new Error('the connection was closed')))
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return {
    send: (bytes: Buffer): Promise<{ status: number; body: Buffer }> =>
      new Promise((resolve, reject) => {
        answered = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer))
        socket.write(bytes)
      }),
    close: () => socket.destroy(),
  }
}

/**
 * Keeps every connection busy for the given time. Resolves to the number of responses within the time, and to the time;
 * rejects on another status.
 */
export const putLoad = async ({
  port,
  connections,
  milliseconds,
  request,
  status,
}: Load): Promise<{ readonly done: number; readonly seconds: number }> => {
  const all = await Promise.all(Array.from({ length: connections }, () => connectTo(port)))
  const from = performance.now()
  let done = 0
  try {
    await Promise.all(
      all.map(async (connection) => {
        const { bytes, refresh } = request()
        while (performance.now() - from < milliseconds) {
          refresh()
          const answer = await connection.send(bytes)
          if (answer.status !== status) throw new Error(`answered ${answer.status}: ${answer.body}`)
          if (performance.now() - from < milliseconds) done += 1
        }
      }),
    )
  } finally {
    for (const connection of all) connection.close()
  }
  return { done, seconds: milliseconds / 1_000 }
}

/** Sends one request over a new connection. */
export const sendOnce = async (
  port: number,
  bytes: Buffer,
): Promise<{ readonly status: number; readonly body: Buffer }> => {
  const connection = await connectTo(port)
  try {
    return await connection.send(bytes)
  } finally {
    connection.close()
  }
}
