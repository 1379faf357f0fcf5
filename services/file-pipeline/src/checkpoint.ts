import * as z from 'zod'

/** State from which a worker that takes over continues; stored with every batch. */
const checkpointSchema = z.object({
  /** Last `safe` state of `cutChunks`: all chunks before it were passed on. */
  state: z.object({
    chunks: z.int().min(0),
    seq: z.int().min(0),
    page: z.int().min(1).optional(),
    headings: z.array(z.object({ level: z.int(), text: z.string() })),
  }),
  /** Upload ids of batches that may not be indexed yet. */
  pending: z.array(z.string()),
  /** Chunks that the model rejected, in batches no longer pending. */
  refused: z.int().min(0),
  /** Passages of batches no longer pending, by the source of their vectors. */
  passages: z.object({ reused: z.int().min(0), embedded: z.int().min(0) }),
  /** Chunks and summaries copied from another version, and the id of the last. Absent: the file is extracted. */
  copying: z.object({ copied: z.int().min(0), after: z.string() }).optional(),
  title: z.string(),
  /** UTF-16 units of the chunks that `state` counts. */
  characters: z.int().min(0),
  /** Only the distinct ones among them. */
  distinctCharacters: z.int().min(0).optional(),
  /** The version that began to read the file; another one may have continued. */
  extraction: z.int().min(0),
  /** Set once all chunks were passed on. */
  end: z.object({ chunks: z.int().min(0), summaries: z.int().min(0) }).nullable(),
})

export type Checkpoint = z.infer<typeof checkpointSchema>
export type Counts = NonNullable<Checkpoint['end']>

/** Returns undefined for a format that this version does not know: the file is then processed from its beginning. */
export const checkpointOf = (stored: unknown): Checkpoint | undefined => checkpointSchema.safeParse(stored).data
