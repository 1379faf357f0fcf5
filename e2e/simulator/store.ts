import type { Account } from '@cairn/domain/accounts/record'
import type { Job } from '@cairn/domain/jobs/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Step } from '@cairn/domain/ports/store'
import type { Collection } from '@cairn/domain/protocol/collections'
import { methodNames, type Store, storeOver } from '@cairn/domain/store'
import { type StepwiseData, stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { type EngineCall, type EngineCallOptions, engineCall } from './faults.ts'
import type { Actor } from './scheduler.ts'

/**
 * Methods that leave marks on an account and a namespace; they start no step after 20 s (docs/architecture.md, "The
 * rules that make it safe").
 */
const marking = new Set(['accept', 'deleteItems', 'createNamespace', 'deletions.takeOver'])
const markingPatienceMs = 20_000

const isUnfinished = (row: object): boolean => {
  const { state } = row as Job
  return state !== 'completed' && state !== 'failed'
}

/**
 * Queries of the sweeps. They are the most frequent calls and have no intermediate states, so they get no turns, and a
 * query is skipped if no record can match.
 */
const sweepLooks: { readonly [method: string]: { readonly in: Collection; readonly may: (row: object) => boolean } } = {
  'uploads.due': { in: 'uploads', may: isUnfinished },
  'deletions.due': { in: 'deletions', may: isUnfinished },
  'namespaces.open': { in: 'namespaces', may: (row) => (row as Namespace).openCount > 0 },
  'namespaces.deleting': { in: 'namespaces', may: (row) => (row as Namespace).state === 'deleting' },
  'accounts.reserving': { in: 'accounts', may: (row) => (row as Account).reservationCount > 0 },
}

/** Matches steps that the engine's client may repeat when it does not know the outcome. */
const repeatable = /: (leave (account|namespace)|give back)$/

export type SimulatedStore = {
  readonly data: StepwiseData
  /** Returns the store as seen by one actor. */
  connect(actor: Actor): Store
}

export type StoreOptions = Omit<EngineCallOptions, 'patienceMs'> & {
  /** Whether each element of a bulk step has its own turn. */
  readonly elementTurns: boolean
  /** Returns the probability that a repeatable step is done twice. */
  readonly repeats: () => number
  /** Removes a clause from the protocol. */
  readonly intercept?: ((step: Step) => Step) | undefined
  /** Called for each step that may write. */
  readonly onWrite: () => void
}

type Engine = {
  readonly store: Store
  actor: Actor | undefined
  call: EngineCall | undefined
  step: Step | undefined
}

const isWrite = (step: Step | undefined): boolean =>
  step?.op === 'insert' || step?.op === 'update' || step?.op === 'remove'

const subject = (step: Step | undefined, element: number): string => {
  if (step === undefined) return ''
  if (step.op === 'get') return step.keys.map((key) => key.at(-1)).join(' ')
  if (step.op === 'update') return String(step.updates[element]?.key.at(-1) ?? '')
  if (step.op === 'remove') return String(step.removals[element]?.key.at(-1) ?? '')
  if (step.op === 'insert') return String((step.documents[element] as { readonly id?: string } | undefined)?.id ?? '')
  return ''
}

/** Creates the record store of a run, which performs each step of the protocol at the turn of the calling actor. */
export const createSimulatedStore = (options: StoreOptions): SimulatedStore => {
  const { scheduler, random, elementTurns, repeats, intercept = (step) => step, onWrite } = options
  const data = stepwiseData()
  const idle: Engine[] = []

  // Each call has its own engine, so that each step can be attributed to its call.
  const open = (): Engine => {
    const engine: { -readonly [K in keyof Engine]: Engine[K] } = {
      store: undefined as never,
      actor: undefined,
      call: undefined,
      step: undefined,
    }
    engine.store = stepwiseStore({
      data,
      now: () => 1_000_000 + scheduler.now(),
      elementTurns,
      intercept: (step) => {
        const repeated =
          step.op === 'update' && step.updates.length === 1 && repeatable.test(step.step) && random.chance(repeats())
        engine.step = intercept(repeated ? { ...step, updates: [...step.updates, ...step.updates] } : step)
        return engine.step
      },
      turn: async (step, element) => {
        const writes = isWrite(engine.step)
        if (engine.call === undefined) return
        await engine.call.step(`${step} ${subject(engine.step, element)}`, writes)
        if (writes) onWrite()
      },
    })
    return engine
  }
  const methodOf = (store: Store, name: string): ((...args: readonly unknown[]) => Promise<unknown>) => {
    const [first = '', second] = name.split('.')
    const at = Reflect.get(store, first) as object
    return (second === undefined ? at : Reflect.get(at, second)) as (...args: readonly unknown[]) => Promise<unknown>
  }
  const names = methodNames
  const tables = new WeakMap<Engine, Map<string, (...args: readonly unknown[]) => Promise<unknown>>>()
  const invoke = (engine: Engine, name: string, args: readonly unknown[]): Promise<unknown> => {
    let table = tables.get(engine)
    if (!table) {
      table = new Map(names.map((one) => [one, methodOf(engine.store, one)]))
      tables.set(engine, table)
    }
    const method = table.get(name)
    if (!method) throw new Error(`no method ${name}`)
    return method(...args)
  }

  return {
    data,
    connect: (actor) =>
      storeOver(
        'simulated',
        (name, args) => {
          if (actor.of.dead) return new Promise(() => undefined)
          const look = sweepLooks[name]
          if (look && !data.get(look.in)?.values().some(look.may)) return Promise.resolve([])
          const engine = idle.pop() ?? open()
          const call =
            look || name === 'now'
              ? undefined
              : engineCall(actor, { ...options, ...(marking.has(name) ? { patienceMs: markingPatienceMs } : {}) })
          engine.actor = actor
          engine.call = call
          const work = invoke(engine, name, args)
          const free = () => {
            idle.push(engine)
          }
          work.then(free, free)
          return call ? call.answer(work) : work
        },
        async () => undefined,
      ),
  }
}
