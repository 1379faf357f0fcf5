import { deletionRequested } from '@cairn/contracts/events'
import type { Jobs } from '@cairn/runtime/jobs'
import { on } from '@cairn/runtime/message-router'

/** Short on purpose: takes the lease if it can be had and returns; the work runs in the pool. */
export const onDeletionRequested = ({ jobs }: { readonly jobs: Pick<Jobs, 'start'> }) =>
  on(deletionRequested, ({ deletionId }) => jobs.start(deletionId))
