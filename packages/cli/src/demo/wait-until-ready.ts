import { setTimeout as delay } from 'node:timers/promises'
import type { Cairn } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Patience } from './patience.ts'

/** Resolves to the server's remark about its model, if it is not the configured one. A download takes minutes. */
export const waitUntilReady = async (
  cairn: Cairn,
  patience: Patience,
  note: (text: string) => void,
): Promise<string | undefined> => {
  const until = performance.now() + patience.giveUpAfterMs
  let printed = ''
  for (;;) {
    const { status, dependencies } = await cairn.readiness({ signal: patience.signal })
    if (status === 'ready') return dependencies['embedder']?.detail
    const missing = Object.entries(dependencies).filter(([, { ok }]) => !ok)
    const why = missing.map(([name, { detail }]) => detail ?? `${name} is unavailable`).join('; ')
    if (performance.now() >= until) throw new AppError('unavailable', `The server did not become ready: ${why}`)
    if (why !== printed) note(`  waiting   ${why}\n`)
    printed = why
    await delay(patience.pollEveryMs, undefined, { signal: patience.signal })
  }
}
