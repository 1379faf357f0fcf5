const exposed =
  'x-request-id, RateLimit, RateLimit-Policy, Retry-After, Deprecation, Sunset, Warning, Location, ETag, Accept-Ranges, Content-Range, Content-Disposition, Idempotency-Replayed, X-Cairn-Warnings'
// Without `x-admin-key`: pages of other origins have no reason to hold the admin key.
const allowedHeaders =
  'content-type, x-api-key, x-request-id, idempotency-key, range, if-range, if-match, if-none-match'

type CorsRequest = {
  readonly origin: string | undefined
  readonly preflight: boolean
  readonly methods: readonly string[]
}

/**
 * `*` allows every origin, which is safe: keys are sent in their own header, never in a cookie. Others are compared
 * literally: `https://app.example`.
 */
export const corsHeaders =
  (origins: readonly string[]) =>
  ({ origin, preflight, methods }: CorsRequest): Readonly<Record<string, string>> => {
    const any = origins.includes('*')
    const vary = any ? {} : { vary: 'Origin' }
    if (origin === undefined || !(any || origins.includes(origin))) return vary
    const allow = { ...vary, 'access-control-allow-origin': any ? '*' : origin }
    if (!preflight) return { ...allow, 'access-control-expose-headers': exposed }
    return {
      ...allow,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': '600',
    }
  }
