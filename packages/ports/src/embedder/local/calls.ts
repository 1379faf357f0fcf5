import type { Answer, Kind } from './messages.ts'
import { kinds } from './messages.ts'

/** One `embed` or `tokens` of a caller: its texts are worked on by any thread, in any order, and answered together. */
export type Call = {
  readonly kind: Kind
  readonly texts: readonly string[]
  readonly answers: Answer[]
  /** First text not handed out yet. */
  next: number
  unanswered: number
  /** Answered, refused or given up by its caller: what still comes for it is dropped. */
  settled: boolean
  readonly resolve: (answers: Answer[]) => void
  readonly reject: (error: unknown) => void
}

export type Task = { readonly call: Call; readonly index: number; readonly attempts: number }

/**
 * What waits for a thread: queries, and work (texts that met a broken thread first, then tokens, then documents).
 * Calls of one kind take turns, so that a small upload is not stuck behind a large one.
 */
export const createCallQueue = () => {
  const again: Task[] = []
  const waiting: Record<Kind, Call[]> = { query: [], tokens: [], document: [] }
  const size: Record<Kind, number> = { query: 0, tokens: 0, document: 0 }

  const take = (kind: Kind): Task | undefined => {
    const call = waiting[kind].shift()
    if (call === undefined) return undefined
    const task = { call, index: call.next, attempts: 0 }
    call.next += 1
    size[kind] -= 1
    if (call.next < call.texts.length) waiting[kind].push(call)
    return task
  }

  return {
    /** Texts of this kind not handed out yet. */
    size: (kind: Kind): number => size[kind],
    isEmpty: (): boolean => again.length === 0 && kinds.every((kind) => size[kind] === 0),
    /** Whether the next work may break its thread: it did before, or shared one with what did. */
    nextIsSuspect: (): boolean => again.length > 0,
    add: (call: Call): void => {
      size[call.kind] += call.texts.length
      waiting[call.kind].push(call)
    },
    addAgain: (task: Task): void => {
      again.push(task)
    },
    takeQuery: (): Task | undefined => take('query'),
    takeWork: (): Task | undefined => again.shift() ?? take('tokens') ?? take('document'),
    /** Forgets what is left of a call. */
    drop: (call: Call): void => {
      const at = waiting[call.kind].indexOf(call)
      if (at >= 0) {
        waiting[call.kind].splice(at, 1)
        size[call.kind] -= call.texts.length - call.next
      }
      for (let index = again.length - 1; index >= 0; index -= 1) if (again[index]?.call === call) again.splice(index, 1)
    },
    /** Every call with something waiting. */
    calls: (): Call[] => [...new Set([...again.map((task) => task.call), ...kinds.flatMap((kind) => waiting[kind])])],
  }
}
