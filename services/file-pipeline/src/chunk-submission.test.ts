import { expect, it } from 'vitest'
import type { Checkpoint } from './checkpoint.ts'
import { ChunkSubmission } from './chunk-submission.ts'
import type { PipelineDeps } from './deps.ts'

type Parts = ConstructorParameters<typeof ChunkSubmission>

it('counts the chunks of pending batches by their records, whatever their ids are', async () => {
  const batches = [
    { id: 'first', state: 'queued', finishedAt: null, ids: ['a', 'b', 'c'], outcomes: [] },
    { id: 'second', state: 'completed', finishedAt: 1, ids: ['d'], outcomes: [{ id: 'd', outcome: 'failed' }] },
    { id: 'third-9', state: 'running', finishedAt: null, ids: ['e', 'f'], outcomes: [] },
  ]
  const store = { uploads: { many: async () => batches } } as unknown as PipelineDeps['store']
  const run = { progress: () => undefined, step: async (_: string, call: () => unknown) => call() }
  const saved = {
    pending: ['first', 'second', 'third-9'],
    refused: 0,
    passages: { reused: 0, embedded: 0 },
  } as unknown as Checkpoint
  const submission = new ChunkSubmission({ store } as Parts[0], run as unknown as Parts[1], saved)
  expect(await submission.pendingChunks()).toBe(5)
  expect(submission.state).toEqual({ ...saved, pending: ['first', 'third-9'], refused: 1 })
})
