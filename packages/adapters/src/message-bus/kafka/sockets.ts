import { createRequire } from 'node:module'
import type { ISocketFactory } from 'kafkajs'

const openSocket = (createRequire(import.meta.url)('kafkajs/src/network/socketFactory') as () => ISocketFactory)()

/**
 * kafkajs calls `unref` on its socket after each failed request. For a closed socket, Node defers this to the next
 * connect, which never comes: each call adds a listener, and after ten Node warns of a leak.
 */
export const kafkaSockets: ISocketFactory = (options) => {
  const socket = openSocket(options)
  const { unref } = socket
  socket.unref = () => (socket.destroyed ? socket : unref.call(socket))
  return socket
}
