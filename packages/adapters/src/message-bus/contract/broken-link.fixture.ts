import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

type Rewrite = (chunk: Buffer) => Buffer

/** Both have equal length. On loopback, each Kafka response arrives in one chunk. */
export const replaced = (chunk: Buffer, found: Buffer, replacement: Buffer) => {
  const copy = Buffer.from(chunk)
  for (let index = copy.indexOf(found); index >= 0; index = copy.indexOf(found, index + found.length))
    replacement.copy(copy, index)
  return copy
}

export const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/**
 * Proxy to the broker that can be cut or silenced (requests arrive, responses are lost). It replaces the broker's
 * address in responses, so that clients return to it.
 */
export const openLink = async (broker: string) => {
  const [host = '', port = ''] = broker.split(':')
  const sockets = new Set<Socket>()
  let state: 'up' | 'cut' | 'silent' = 'up'
  let toBroker: Rewrite = (chunk) => chunk
  let answers = ''
  const pass = (from: Socket, to: Socket, rewrite: Rewrite) => {
    sockets.add(from)
    from.on('data', (chunk) => {
      const bytes = rewrite(chunk)
      if (bytes.length > 0) to.write(bytes)
    })
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy()
      return
    }
    const upstream = connect(Number(port), host)
    const own = (server.address() as AddressInfo).port
    const address = (number: number) => Buffer.concat([Buffer.from(host), int32(number)])
    pass(client, upstream, (chunk) => toBroker(chunk))
    pass(upstream, client, (chunk) => {
      answers += chunk.toString('latin1')
      return state === 'silent' ? Buffer.alloc(0) : replaced(chunk, address(Number(port)), address(own))
    })
  }).listen(0, host)
  await once(server, 'listening')
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    drop()
    server.close()
  })
  return {
    address: `${host}:${(server.address() as AddressInfo).port}`,
    cut: () => {
      state = 'cut'
      drop()
    },
    silence: () => {
      state = 'silent'
    },
    restore: () => {
      state = 'up'
      drop()
    },
    /** How often the broker has answered with this text. */
    answered: (text: string) => answers.split(text).length - 1,
    rewriteRequests: (rewrite: Rewrite) => {
      toBroker = rewrite
    },
  }
}
