import { AppError } from '@cairn/contracts/errors'

type Verdict = 'pass' | { readonly when: 'before' | 'after'; readonly error: Error }

/** Decides the outcome of a method's calls, in order. A fault counts calls, so each test needs a new fault. */
export type Fault = { readonly verdict: () => Verdict }

/**
 * A fault per method; a nested store has a nested plan. A fault instead of a plan counts the calls of all methods
 * together.
 */
export type FaultPlan<P> =
  | Fault
  | { readonly [K in keyof P]?: P[K] extends (...args: never[]) => unknown ? Fault : FaultPlan<P[K]> }

const outage = () => new AppError('unavailable', 'the engine does not answer (injected)')

/** Creates a fault: the k-th call (from 1) fails without effect. */
export const failNth = (k: number, error: Error = outage()): Fault => {
  let calls = 0
  return { verdict: () => (++calls === k ? { when: 'before', error } : 'pass') }
}

/** Creates a fault: the first call fails without effect. */
export const failOnce = (error?: Error): Fault => failNth(1, error)

/** Creates a fault: every call fails without effect. */
export const failAlways = (error: Error = outage()): Fault => ({ verdict: () => ({ when: 'before', error }) })

/**
 * Creates a fault: the k-th call (from 1) takes effect, but its caller gets `unavailable`, as if the connection was
 * lost before the response.
 */
export const unknownOutcome = (k = 1): Fault => {
  let calls = 0
  return { verdict: () => (++calls === k ? { when: 'after', error: outage() } : 'pass') }
}

/** Returns a result that rejects when awaited and throws when iterated, because the kind of method is unknown. */
const failed = (error: Error) => {
  const rejected = Promise.reject(error)
  rejected.catch(() => {})
  return Object.assign(rejected, { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) })
}

const guarded = (call: () => unknown, fault: Fault) => {
  const verdict = fault.verdict()
  if (verdict === 'pass') return call()
  if (verdict.when === 'before') return failed(verdict.error)
  return Promise.resolve(call()).then(() => Promise.reject(verdict.error))
}

const isFault = (value: unknown): value is Fault => typeof (value as Fault | undefined)?.verdict === 'function'
const isStore = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Returns the port with faults on some of its methods; the port itself is unchanged.
 *
 *     const vectors = withFaults(index, { upsert: failOnce() })
 *     const metadata = withFaults(store, { items: { markIndexed: unknownOutcome() } })
 *     const brittle = withFaults(store, failNth(3))        // the third call of any method
 */
export const withFaults = <P extends object>(port: P, plan: FaultPlan<P>): P =>
  new Proxy(port, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown
      const inner: unknown = isFault(plan) ? plan : Reflect.get(plan, name)
      if (inner === undefined) return value
      if (typeof value === 'function' && isFault(inner))
        return (...args: unknown[]) => guarded(() => Reflect.apply(value, target, args), inner)
      if (isStore(value)) return withFaults(value, inner as FaultPlan<object>)
      return value
    },
  })
