import type { StepName } from '../protocol/step-names.ts'
import { getOne, insertOne, now, type Protocol, read, updateIf, updateOne } from '../protocol/steps.ts'
import { leaseMs } from '../protocol/times.ts'
import type { Task } from './record.ts'

function* underLease(step: StepName, name: string, token: string, set: (at: number) => object): Protocol<boolean> {
  const at = yield* now()
  return yield* updateIf(step, 'tasks', [name], { 'lease.token': token }, { set: { ...set(at) } })
}

/** Leases last 30 s from the last `lease`, `advance` or `renew`. False: the lease is lost and nothing was written. */
export const tasks = {
  get: read((name: string) => getOne('tasks: get', 'tasks', name)),
  /** Takes a free lease if the task is due: never done, amid a pass, or last done `everyMs` ago. Else undefined. */
  *lease(name: string, token: string, { everyMs }: { readonly everyMs: number }): Protocol<Task | undefined> {
    const at = yield* now()
    const lease = { token, until: at + leaseMs }
    const task = yield* getOne('tasks: read for lease', 'tasks', name)
    if (!task) {
      const first: Task = { name, lease, leaseSeq: 1, cursor: null, doneAt: null }
      return (yield* insertOne('tasks: insert', 'tasks', first)) ? first : undefined
    }
    const isHeld = (task.lease?.until ?? 0) > at
    const isDone = task.cursor === null && task.doneAt !== null && task.doneAt + everyMs > at
    if (isHeld || isDone) return undefined
    return yield* updateOne(
      'tasks: take lease',
      'tasks',
      [name],
      { leaseSeq: task.leaseSeq },
      { set: { lease }, inc: { leaseSeq: 1 } },
    )
  },
  advance: (name: string, token: string, cursor: string) =>
    underLease('tasks: advance', name, token, (at) => ({ cursor, 'lease.until': at + leaseMs })),
  renew: (name: string, token: string) =>
    underLease('tasks: renew', name, token, (at) => ({ 'lease.until': at + leaseMs })),
  done: (name: string, token: string) =>
    underLease('tasks: done', name, token, (at) => ({ cursor: null, doneAt: at, lease: null })),
  /** Releases the lease in the middle of a pass. */
  *release(name: string, token: string): Protocol<void> {
    yield* underLease('tasks: release', name, token, () => ({ lease: null }))
  },
}
