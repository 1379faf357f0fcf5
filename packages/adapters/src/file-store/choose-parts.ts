import { AppError } from '@cairn/contracts/errors'
import type { SizeLimit, UploadedPart } from '@cairn/domain/ports/file-store'

/** S3's minimum of every part but the last. */
const minPartBytes = 5 * 1024 * 1024

/** AppError `invalid` if a part is missing, has another etag or is too small; `tooLarge` above `maxBytes`. */
export const chooseParts = <P extends UploadedPart & { readonly sizeBytes: number }>(
  stored: ReadonlyMap<number, P>,
  listed: readonly UploadedPart[],
  { maxBytes = Number.POSITIVE_INFINITY }: SizeLimit = {},
): P[] => {
  const chosen = listed.map(({ part, etag }, index) => {
    const found = stored.get(part)
    if (found?.etag !== etag) throw new AppError('invalid', `Part ${part} is missing, or has another etag`)
    if (index < listed.length - 1 && found.sizeBytes < minPartBytes) {
      throw new AppError('invalid', `Part ${part} has less than ${minPartBytes} bytes and is not the last`)
    }
    return found
  })
  const sum = chosen.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0)
  if (sum > maxBytes)
    throw new AppError('tooLarge', `The parts have ${sum} bytes together, at most ${maxBytes} are taken`)
  return chosen
}
