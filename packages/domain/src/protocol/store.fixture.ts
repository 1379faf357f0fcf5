import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Store } from '../store.ts'
import type { StepName } from './step-names.ts'

export type StallOptions = { readonly element?: number; readonly aheadMs?: number }

/** A store that is empty when it is opened, with the controls that tests need. */
export type StoreFixture = {
  readonly store: Store
  /** Advances store time. */
  advance(ms: number): void | Promise<void>
  /**
   * Runs a call in another process that stalls just before the step of this name (in a bulk step: before the element of
   * this number, from 0). Resolves, once the call is stopped there, to a function that resumes it; a call that is never
   * resumed is a process that died there. Rejects when the call ends earlier. The clock of the process may be `aheadMs`
   * ahead of the store's time.
   */
  stall<T>(step: StepName, call: (store: Store) => Promise<T>, options?: StallOptions): Promise<() => Promise<T>>
}

export type Behaviour =
  | 'accounts'
  | 'keys'
  | 'namespaces'
  | 'items'
  | 'indexing'
  | 'uploads'
  | 'upload clean-up'
  | 'due jobs'
  | 'deletions'
  | 'accept'
  | 'accept among others'
  | 'delete items'
  | 'take over deletion'
  | 'counts'
  | 'files'
  | 'metadata of files'
  | 'publishing files'
  | 'deleting files'
  | 'grants'
  | 'storage'
  | 'usage'
  | 'daily usage'
  | 'tasks'
  | 'model probes'
  | 'requests with an idempotency key'
  | 'events'
  | 'evaluations'
  | 'index audit'
  | 'object owners'

export type StoreContract = {
  /** Called a few times; each fixture is closed with `metadata.close()` after the tests. */
  readonly open: () => Promise<StoreFixture>
  /** Behaviours that the adapter can't have, each with the reason, which is printed. */
  readonly lacks: { readonly [B in Behaviour]?: string }
}

/**
 * A store that all tests share, since some engines take long to open. Tests stay isolated by the ids they create and
 * the times they use.
 */
export type Engine = StoreFixture & {
  /** A store that nothing else has written to. */
  readonly fresh: () => Promise<StoreFixture>
}

export type Group = { readonly engine: Engine; readonly lacks: StoreContract['lacks'] }

/** Opens the shared store before the tests of this file; closes all fixtures after them. */
export const openGroup = ({ open, lacks }: StoreContract): Group => {
  const opened: StoreFixture[] = []
  const shared = () => {
    const [fixture] = opened
    if (!fixture) throw new Error('the store is opened before the tests')
    return fixture
  }
  const fresh = async () => {
    const fixture = await open()
    opened.push(fixture)
    return fixture
  }
  beforeAll(fresh)
  afterAll(() => Promise.all(opened.map(({ store }) => store.close())))
  const engine: Engine = {
    get store() {
      return shared().store
    },
    advance: (ms) => shared().advance(ms),
    stall: (step, call, options) => shared().stall(step, call, options),
    fresh,
  }
  return { engine, lacks }
}

export const behaviour = (name: Behaviour, { engine, lacks }: Group, define: (engine: Engine) => void): void => {
  const reason = lacks[name]
  if (reason === undefined) describe(`metadata: ${name}`, () => define(engine))
  else it(`metadata: ${name}`, ({ skip }) => skip(`lacking: ${reason}`))
}
