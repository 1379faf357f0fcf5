import type { GatewayPorts } from './deps.ts'

/** The first is short, because most work is done quickly. */
const pauses = { first: 50, max: 1_000 }

/** Polls until work, time or service ends; resolves to the last read. Rejects with the reason of the signal. */
export const waitFor = async <R>(
  { clock, stopping }: Pick<GatewayPorts, 'clock' | 'stopping'>,
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
  read: () => Promise<R>,
  isFinished: (record: R) => boolean,
): Promise<R> => {
  const until = clock.monotonic() + seconds * 1_000
  const ended = stopping && seconds > 0 ? AbortSignal.any([signal, stopping]) : signal
  for (let pause = pauses.first; ; pause = Math.min(pauses.max, 2 * pause)) {
    const found = await read()
    const left = until - clock.monotonic()
    if (isFinished(found) || left <= 0 || stopping?.aborted) return found
    await clock.delay(Math.min(pause, left), ended)
    signal.throwIfAborted()
  }
}
