import type { ChunkDraft } from '@cairn/domain/files/chunks'
import type { FileRecord } from '@cairn/domain/files/record'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import type { Checkpoint } from './checkpoint.ts'
import { draftMetadata } from './chunk-drafts.ts'
import type { ChunkSubmission } from './chunk-submission.ts'
import type { PipelineDeps } from './deps.ts'

const chunksAtOnce = 100

/** Returns undefined if the file must be extracted, also if the source was replaced meanwhile. */
export const copySourceOf = ({ copiedFrom, live }: FileRecord): NonNullable<FileRecord['live']> | undefined =>
  live && live.version === copiedFrom ? live : undefined

/** The index already has the chunks' vectors. May be repeated: equal batches have equal ids. */
export const copyChunks = async (
  { store }: PipelineDeps,
  run: JobRun<FileRecord>,
  source: NonNullable<FileRecord['live']>,
  { submission, saved }: { readonly submission: ChunkSubmission; readonly saved: Checkpoint | undefined },
): Promise<{ readonly chunks: number; readonly summaries: number }> => {
  const { chunks, summaries } = source
  const total = chunks + summaries
  const draftOf = ({ itemId, kind, body, extracted, places }: ChunkDraft): ChunkDraft => ({
    itemId,
    kind,
    ...draftMetadata(body.text, extracted ?? body.metadata, run.job.metadata),
    ...(places === undefined ? {} : { places }),
  })
  let { copied, after } = saved?.copying ?? { copied: 0, after: '' }
  while (copied < total) {
    const page = await run.step('read', () => store.chunks.ofVersion(source.version, { after, limit: chunksAtOnce }))
    const last = page.at(-1)
    if (!last) throw new Error(`version ${source.version} has ${copied} chunks, not ${total}`)
    const first = copied
    copied += page.length
    after = last.id
    await submission.submit(page.map(draftOf), {
      first,
      counted: copied,
      checkpoint: {
        state: { chunks: 0, seq: 0, headings: [] },
        copying: { copied, after },
        title: '',
        characters: 0,
        extraction: source.extraction,
        end: copied < total ? null : { chunks, summaries },
      },
      progress: { ...run.job.progress, chunks: Math.min(copied, chunks), summaries: Math.max(0, copied - chunks) },
    })
  }
  return { chunks, summaries }
}
