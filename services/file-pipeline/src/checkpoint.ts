import * as z from 'zod'

/**
 * State from which a worker that takes over continues. Stored in the file's record with every batch passed to
 * ingestion.
 */
const checkpointSchema = z.object({
  /** The last `safe` state of `cutChunks`; all chunks before it were passed on. */
  state: z.object({
    chunks: z.int().min(0),
    seq: z.int().min(0),
    page: z.int().min(1).optional(),
    headings: z.array(z.object({ level: z.int(), text: z.string() })),
  }),
  /** Upload ids of batches that were passed on and may not be indexed yet. */
  pending: z.array(z.string()),
  /** Chunks that the model rejected, of batches that are no longer pending. */
  refused: z.int().min(0),
  /** Passages of batches that are no longer pending, by the source of their vectors. */
  passages: z.object({ reused: z.int().min(0), embedded: z.int().min(0) }),
  /** Chunks and summaries copied from another version, and the id of the last. Absent: the file is extracted. */
  copying: z.object({ copied: z.int().min(0), after: z.string() }).optional(),
  title: z.string(),
  /** UTF-16 units of the chunks that `state` counts. */
  characters: z.int().min(0),
  /** UTF-16 units of the distinct chunks among these. */
  distinctCharacters: z.int().min(0).optional(),
  /** Version of the extraction that began to read the file; another version may have continued. */
  extraction: z.int().min(0),
  /** Totals of the file. Set once all chunks were passed on. */
  end: z.object({ chunks: z.int().min(0), summaries: z.int().min(0) }).nullable(),
})

export type Checkpoint = z.infer<typeof checkpointSchema>

/**
 * Parses a checkpoint. Returns undefined for a format that this version does not know: the file is then processed from
 * its beginning.
 */
export const checkpointOf = (stored: unknown): Checkpoint | undefined => checkpointSchema.safeParse(stored).data
