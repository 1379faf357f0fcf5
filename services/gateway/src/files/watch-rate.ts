import type { IncomingMessage } from 'node:http'
import { createRateWatch } from '@cairn/runtime/http/minimal-rate'
import { bodyRate } from '@cairn/runtime/http/read-body'

/** Ends a request whose body is slower than the minimum rate. */
export const watchRate = (raw: IncomingMessage, rate: typeof bodyRate = bodyRate): { stop(): void } => {
  const { socket } = raw
  const watch = createRateWatch({ ...rate, fromBytes: socket.bytesRead })
  // A full buffer means a slow store, not a slow client. `isPaused` does not help: iterating a stream pauses it.
  const isHeldBack = () => raw.readableLength >= raw.readableHighWaterMark
  const check = () => {
    if (!raw.complete && watch.isTooSlow(socket.bytesRead) && !isHeldBack()) raw.destroy()
    else timer = setTimeout(check, Math.max(1, watch.leftMs()))
  }
  let timer = setTimeout(check, watch.leftMs())
  return { stop: () => clearTimeout(timer) }
}
