import { deletionRequested } from '@cairn/contracts/events'
import type { Jobs } from '@cairn/runtime/jobs'
import { on } from '@cairn/runtime/message-router'

/** Wakes the pool, which chooses the job to start. */
export const onDeletionRequested = ({ jobs }: { readonly jobs: Pick<Jobs, 'wake'> }) =>
  on(deletionRequested, () => void jobs.wake())
