import { unsupportedFileType } from '@cairn/contracts/api/failures'
import { AppError } from '@cairn/contracts/errors'
import { checkFileName, fileExtensions } from '@cairn/contracts/files/file-rules'

export type FileName = { readonly name: string; readonly contentType: string }

/**
 * Returns the name in its canonical form. AppError `invalid` for an invalid name. `field`: the field's name in the
 * message.
 */
export const fileNameOf = (sent: string, field = 'file_name'): FileName => {
  const checked = checkFileName(sent)
  if (checked.ok) return checked
  const { type, requirement } = checked
  throw type === undefined
    ? new AppError('invalid', `${field} ${requirement}`)
    : unsupportedFileType(type, fileExtensions)
}
