import { uploadAccepted } from '@cairn/contracts/events'
import type { Jobs } from '@cairn/runtime/jobs'
import { on } from '@cairn/runtime/message-router'

/** The pool chooses which job it starts. */
export const onUploadAccepted = ({ jobs }: { readonly jobs: Pick<Jobs, 'wake'> }) => on(uploadAccepted, () => void jobs.wake())
