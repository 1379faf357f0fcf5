import { fileStored } from '@cairn/contracts/events'
import type { Jobs } from '@cairn/runtime/jobs'
import { on } from '@cairn/runtime/message-router'

/** The pool chooses which job it starts. */
export const onFileStored = ({ jobs }: { readonly jobs: Pick<Jobs, 'wake'> }) => on(fileStored, () => void jobs.wake())
