import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts an HTTP server on a local port, by default a free port. `close` also ends open connections. */
export const startLocalServer = async (handle: RequestListener, port = 0) => {
  const server = createServer(handle)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
