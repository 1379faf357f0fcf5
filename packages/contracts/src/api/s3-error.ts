import { type ErrorCode, isAppError } from '../errors.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string) => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark)

/** Only headers, or an error in XML. */
export type S3Response = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export const s3Error = (
  status: number,
  code: string,
  message: string,
  headers: S3Response['headers'] = {},
): S3Response => ({
  status,
  headers: { 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>\n`,
})

const refusals: Partial<Record<ErrorCode, readonly [number, string]>> = {
  invalid: [400, 'InvalidRequest'],
  forbidden: [403, 'QuotaExceeded'],
  notFound: [404, 'NoSuchUpload'],
  tooLarge: [400, 'EntityTooLarge'],
  headersTooLarge: [400, 'RequestHeaderSectionTooLarge'],
}

/** Repeats the error's message only if the request is at fault. */
export const s3Failure = (error: unknown): S3Response => {
  if (isAppError(error, 'unavailable') || isAppError(error, 'limited'))
    return s3Error(503, 'ServiceUnavailable', 'Please try again.', {
      'retry-after': String(Math.ceil(error.retryAfterSeconds ?? 1)),
    })
  const [status, code] = (isAppError(error) && refusals[error.code]) || [500, 'InternalError']
  return s3Error(
    status,
    code,
    status < 500 && isAppError(error) ? error.message : 'We encountered an internal error. Please try again.',
  )
}
