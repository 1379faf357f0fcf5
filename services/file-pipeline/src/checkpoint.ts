import * as z from 'zod'

/** Where a worker that takes over goes on. Kept in the file's record with every hand-over. */
const checkpointSchema = z.object({
  /** The last `safe` state of `cutChunks`; all of its chunks were handed over. */
  state: z.object({
    chunks: z.int().min(0),
    seq: z.int().min(0),
    page: z.int().min(1).optional(),
    headings: z.array(z.object({ level: z.int(), text: z.string() })),
  }),
  /** Handed over and perhaps not indexed yet: ids of uploads. */
  pending: z.array(z.string()),
  /** Chunks that the model refused, of those that were handed over and are no longer pending. A version before 0.2 wrote none. */
  refused: z.int().min(0).default(0),
  title: z.string(),
  /** UTF-16 units of the chunks that `state` counts. A version before 0.2 wrote none. */
  characters: z.int().min(0).default(0),
  /** Set once everything was handed over. */
  end: z.object({ chunks: z.int().min(0), summaries: z.int().min(0) }).nullable(),
})

export type Checkpoint = z.infer<typeof checkpointSchema>

/** One that an older version wrote and this one does not understand is none: the file is read from its beginning. */
export const checkpointOf = (stored: unknown): Checkpoint | undefined => checkpointSchema.safeParse(stored).data
