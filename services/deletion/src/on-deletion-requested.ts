import { deletionRequested } from '@cairn/contracts/events'
import type { Jobs } from '@cairn/runtime/jobs'
import { on } from '@cairn/runtime/message-router'

/** The pool chooses which job it starts. */
export const onDeletionRequested = ({ jobs }: { readonly jobs: Pick<Jobs, 'wake'> }) => on(deletionRequested, () => void jobs.wake())
