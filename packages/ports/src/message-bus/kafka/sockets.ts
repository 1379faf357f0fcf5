import { createRequire } from 'node:module'
import type { ISocketFactory } from 'kafkajs'

const openSocket = (createRequire(import.meta.url)('kafkajs/src/network/socketFactory') as () => ISocketFactory)()

/**
 * kafkajs lets go of its socket (`unref`) after each request that has failed. Of one that is closed Node notes that for the next
 * connect, which never comes: a listener more each time, and after ten a warning of a leak.
 */
export const kafkaSockets: ISocketFactory = (options) => {
  const socket = openSocket(options)
  const { unref } = socket
  socket.unref = () => (socket.destroyed ? socket : unref.call(socket))
  return socket
}
