import type { CountResult } from '@cairn/domain/namespaces/counts'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Store } from '@cairn/domain/store'

type Deps = { readonly store: Store; readonly clock: Clock }

/** Attempts that requests may interrupt before entry is closed, and the pause between two. */
const tries = 20
const againMs = 50
/** For slices while entry is closed, which lasts 1 s. */
const closedMs = 900
/** A busy namespace stays open for this long before its entry is closed again. */
const openMs = 9_000

/** Counts until a request enters, for at most `maxMs`. Returns `more` if time ends first. */
const countOn = async (
  { store, clock }: Deps,
  namespaceId: string,
  maxMs: number,
  signal: AbortSignal,
): Promise<CountResult> => {
  const from = clock.monotonic()
  let result: CountResult = { outcome: 'more' }
  while (result.outcome === 'more' && !signal.aborted && clock.monotonic() - from < maxMs)
    result = await store.countSlice(namespaceId)
  return result
}

/** Counts once the requests in progress have left. */
const countClosed = async (deps: Deps, namespaceId: string, signal: AbortSignal): Promise<CountResult> => {
  const { store, clock } = deps
  const from = clock.monotonic()
  await store.closeEntry(namespaceId)
  let result: CountResult = { outcome: 'busy' }
  while (result.outcome === 'busy' && !signal.aborted && clock.monotonic() - from < closedMs) {
    result = await countOn(deps, namespaceId, closedMs - (clock.monotonic() - from), signal)
    if (result.outcome === 'busy') await clock.delay(againMs, signal)
  }
  return result
}

/** Per audit; the next one continues the pass. */
const maxRounds = 1_000

/** Continues an interrupted pass. Resolves to the error of the old count; undefined: no namespace, or no end yet. */
export const countContent =
  (deps: Deps) =>
  async (namespaceId: string, signal: AbortSignal): Promise<number | undefined> => {
    const { clock } = deps
    let busy = 0
    for (let round = 0; round < maxRounds && !signal.aborted; round += 1) {
      const isPatient = busy < tries
      const result = isPatient
        ? await countOn(deps, namespaceId, openMs, signal)
        : await countClosed(deps, namespaceId, signal)
      if (result.outcome === 'counted') return result.off
      if (result.outcome === 'gone') return undefined
      busy = isPatient && result.outcome === 'busy' ? busy + 1 : 0
      if (busy > 0) await clock.delay(againMs, signal)
      else if (!isPatient) await clock.delay(openMs, signal)
    }
    return undefined
  }
