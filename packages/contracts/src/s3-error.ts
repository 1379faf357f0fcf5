const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark)

/** As S3 answers: nothing but headers, or XML that says what is wrong. */
export type S3Response = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }

export const s3Error = (status: number, code: string, message: string, headers: S3Response['headers'] = {}): S3Response => ({
  status,
  headers: { 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>\n`,
})

/** Trouble of a store behind it, which passes. `retryAfterSeconds` default: 1. */
export const s3Unavailable = ({ retryAfterSeconds = 1 }: { readonly retryAfterSeconds?: number | undefined }): S3Response =>
  s3Error(503, 'ServiceUnavailable', 'Please try again.', { 'retry-after': String(retryAfterSeconds) })
