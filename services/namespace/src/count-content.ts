import type { Clock } from '@cairn/ports/clock/port'
import type { CountResult, Metadata } from '@cairn/ports/metadata/port'

type Deps = { readonly metadata: Metadata; readonly clock: Clock }

/** Tries for a moment in which nobody is inside, and the pause between two of them. */
const tries = 20
const againMs = 50
/** Entry is closed for a second; slices begin in so much of it. */
const closedMs = 900
/** A busy namespace stays open for so long before it is closed again. */
const openMs = 9_000

/** Slices while nobody comes in between: the first answer that is not `more`. */
const countOn = async ({ metadata, clock }: Deps, namespaceId: string, mostMs: number, signal: AbortSignal): Promise<CountResult> => {
  const from = clock.monotonic()
  let result: CountResult = { outcome: 'more' }
  while (result.outcome === 'more' && !signal.aborted && clock.monotonic() - from < mostMs) result = await metadata.countSlice(namespaceId)
  return result
}

/** Closes entry for a second, and counts as soon as those inside have left. */
const countClosed = async (deps: Deps, namespaceId: string, signal: AbortSignal): Promise<CountResult> => {
  const { metadata, clock } = deps
  const from = clock.monotonic()
  await metadata.closeEntry(namespaceId)
  let result: CountResult = { outcome: 'busy' }
  while (result.outcome === 'busy' && !signal.aborted && clock.monotonic() - from < closedMs) {
    result = await countOn(deps, namespaceId, closedMs - (clock.monotonic() - from), signal)
    if (result.outcome === 'busy') await clock.delay(againMs, signal)
  }
  return result
}

/** Rounds after which a pass that finds no moment is left to the next audit, which goes on where it stands. */
const mostRounds = 1_000

/**
 * Counts what is in a namespace, slice by slice, and assigns the count. Goes on where another pass was broken off. Resolves to how far
 * the count was off; undefined when the namespace is gone, or the pass did not come to its end.
 */
export const countContent =
  (deps: Deps) =>
  async (namespaceId: string, signal: AbortSignal): Promise<number | undefined> => {
    const { clock } = deps
    let busy = 0
    for (let round = 0; round < mostRounds && !signal.aborted; round += 1) {
      const isPatient = busy < tries
      const result = isPatient ? await countOn(deps, namespaceId, openMs, signal) : await countClosed(deps, namespaceId, signal)
      if (result.outcome === 'counted') return result.off
      if (result.outcome === 'gone') return undefined
      busy = isPatient && result.outcome === 'busy' ? busy + 1 : 0
      if (busy > 0) await clock.delay(againMs, signal)
      else if (!isPatient) await clock.delay(openMs, signal)
    }
    return undefined
  }
