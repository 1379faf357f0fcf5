import { unsupportedFileType } from '@cairn/contracts/api/failures'
import { AppError } from '@cairn/contracts/errors'
import { checkFileName, fileExtensions } from '@cairn/contracts/files/file-rules'

export type FileName = { readonly name: string; readonly contentType: string }

/** Returns the canonical form. AppError `invalid`, with `field` in its message. */
export const fileNameOf = (sent: string, field = 'file_name'): FileName => {
  const checked = checkFileName(sent)
  if (checked.ok) return checked
  const { type, requirement } = checked
  throw type === undefined
    ? new AppError('invalid', `${field} ${requirement}`)
    : unsupportedFileType(type, fileExtensions)
}
