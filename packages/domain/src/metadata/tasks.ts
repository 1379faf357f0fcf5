import type { ProtocolOf } from './jobs.ts'
import type { TaskStore } from './port.ts'
import type { Task } from './records.ts'
import { getOne, insertOne, now, type Protocol, read, updateOne } from './steps.ts'
import { leaseMs } from './times.ts'

function* underLease(step: string, name: string, token: string, set: (at: number) => object): Protocol<boolean> {
  const at = yield* now()
  const task = yield* updateOne(step, 'tasks', [name], { 'lease.token': token }, { set: { ...set(at) } })
  return task !== undefined
}

export const tasks: ProtocolOf<TaskStore> = {
  get: read(function* (name) {
    return yield* getOne('tasks: get', 'tasks', name)
  }),
  *lease(name, token, { everyMs }) {
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
  *advance(name, token, cursor) {
    return yield* underLease('tasks: advance', name, token, (at) => ({ cursor, 'lease.until': at + leaseMs }))
  },
  *renew(name, token) {
    return yield* underLease('tasks: renew', name, token, (at) => ({ 'lease.until': at + leaseMs }))
  },
  *done(name, token) {
    return yield* underLease('tasks: done', name, token, (at) => ({ cursor: null, doneAt: at, lease: null }))
  },
  *release(name, token) {
    yield* underLease('tasks: release', name, token, () => ({ lease: null }))
  },
}
