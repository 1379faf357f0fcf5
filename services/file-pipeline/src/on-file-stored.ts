import { fileStored } from '@cairn/contracts/events'
import type { Jobs } from '@cairn/runtime/jobs'
import { on } from '@cairn/runtime/message-router'

/** Short on purpose: takes the lease if it can be had and returns; the work runs in the pool. */
export const onFileStored = ({ jobs }: { readonly jobs: Pick<Jobs, 'start'> }) => on(fileStored, ({ fileId }) => jobs.start(fileId))
