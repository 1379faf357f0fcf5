/** Collects which messages groups have handled and writes them in batches: what is marked while a batch is written is the next. */
type HandledMarks = {
  mark(groupId: number, seq: number): void
  /** Writes what is marked, also what could not be written before; resolves when all of it is tried. */
  flush(): Promise<void>
}

type Batch = Map<number, number[]>

const add = (batch: Batch, groupId: number, seqs: readonly number[]) => {
  const waiting = batch.get(groupId)
  if (waiting) waiting.push(...seqs)
  else batch.set(groupId, [...seqs])
}

/** A mark that can't be written is kept for the next `flush`; until then its message counts as not handled. */
export const createHandledMarks = (
  write: (groupId: number, seqs: readonly number[]) => Promise<unknown>,
  warn: (fields: object, message: string) => void,
): HandledMarks => {
  let marked: Batch = new Map()
  let failed: Batch = new Map()
  let writing: Promise<void> | undefined

  const drain = async () => {
    while (marked.size > 0) {
      const batch = marked
      marked = new Map()
      for (const [groupId, seqs] of batch) {
        try {
          await write(groupId, seqs)
        } catch (error) {
          add(failed, groupId, seqs)
          warn({ err: error, messages: seqs.length }, 'handled messages could not be marked; tried again later')
        }
      }
    }
    writing = undefined
  }

  const start = () => {
    if (marked.size > 0) writing ??= Promise.resolve().then(drain)
    return writing ?? Promise.resolve()
  }

  return {
    mark: (groupId, seq) => {
      add(marked, groupId, [seq])
      void start()
    },
    flush: () => {
      for (const [groupId, seqs] of failed) add(marked, groupId, seqs)
      failed = new Map()
      return start()
    },
  }
}
