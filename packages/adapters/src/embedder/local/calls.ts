import type { Answer, Kind } from './messages.ts'
import { kinds } from './messages.ts'

/** One `embed` or `tokens` call. Any thread may take its texts, in any order. */
export type Call = {
  readonly kind: Kind
  readonly texts: readonly string[]
  readonly answers: Answer[]
  /** First text that no thread has taken yet. */
  next: number
  unanswered: number
  /** Answered, refused or canceled: later results are dropped. */
  settled: boolean
  readonly resolve: (answers: Answer[]) => void
  readonly reject: (error: unknown) => void
}

export type Task = { readonly call: Call; readonly index: number; readonly attempts: number }

/**
 * Queries, and work: texts that crashed a thread first, then tokens, then documents. Calls of one kind take turns, so
 * that a small upload does not wait behind a large one.
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
    /** Texts of this kind that no thread has taken yet. */
    size: (kind: Kind): number => size[kind],
    isEmpty: (): boolean => again.length === 0 && kinds.every((kind) => size[kind] === 0),
    /** Whether the next text was in a thread that crashed, so that it may crash another one. */
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
    drop: (call: Call): void => {
      const position = waiting[call.kind].indexOf(call)
      if (position >= 0) {
        waiting[call.kind].splice(position, 1)
        size[call.kind] -= call.texts.length - call.next
      }
      for (let index = again.length - 1; index >= 0; index -= 1) if (again[index]?.call === call) again.splice(index, 1)
    },
    calls: (): Call[] => [...new Set([...again.map((task) => task.call), ...kinds.flatMap((kind) => waiting[kind])])],
  }
}
