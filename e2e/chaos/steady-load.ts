import { setTimeout as pause } from 'node:timers/promises'
import { createLoad } from './load.ts'
import { places } from './places.ts'
import type { System } from './system.ts'

const largestBatch = 50
/** Share of the documents in uploads and deletions whose ids already exist. */
const again = 1 / 3
const walks = 0.3
const lookEveryMs = 50

/**
 * Creates a load that uploads `documents` documents, spread over `ms`. If fewer are acknowledged by then, continues for
 * up to `lateMs`.
 */
export const steadyLoad = (options: {
  readonly system: System
  readonly seed: number
  readonly clients: number
  readonly documents: number
  readonly ms: number
  readonly lateMs: number
  /** Whether namespaces are deleted and recreated. Default: yes. */
  readonly churns?: boolean
}) => {
  const { system, seed, clients, documents, ms, lateMs, churns = true } = options
  const { accounts, ledger, client } = system
  const startedAt = performance.now()
  const passed = () => performance.now() - startedAt
  const load = createLoad({
    seed,
    clients,
    documents,
    accounts,
    ledger,
    again,
    places: churns ? places : places.map(({ churn: _, ...place }) => place),
    walks,
    largestBatch,
    url: async () => '',
    open: client,
    isOver: () => passed() > ms + lateMs || (passed() > ms && load.acknowledged() >= documents),
    turn: async () => {
      while (passed() < ms && load.acknowledged() > (documents * passed()) / ms) await pause(lookEveryMs)
    },
  })
  return load
}
