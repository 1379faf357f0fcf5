import { fileStored } from '@cairn/contracts/events'
import type { Jobs } from '@cairn/runtime/jobs'
import { on } from '@cairn/runtime/message-router'

/** Which job is started, the pool chooses. */
export const onFileStored = ({ jobs }: { readonly jobs: Pick<Jobs, 'wake'> }) => on(fileStored, () => void jobs.wake())
