import { fileStored } from '@cairn/contracts/events'
import type { Jobs } from '@cairn/runtime/jobs'
import { on } from '@cairn/runtime/message-router'

/** Wakes the job pool, which chooses the job to start. */
export const onFileStored = ({ jobs }: { readonly jobs: Pick<Jobs, 'wake'> }) => on(fileStored, () => void jobs.wake())
