const exposed =
  'x-request-id, RateLimit, RateLimit-Policy, Retry-After, Deprecation, Sunset, Warning, Location, ETag, Accept-Ranges, Content-Range, Content-Disposition, Idempotency-Replayed, X-Cairn-Warnings'
// `x-admin-key` is left out, because pages of other origins have no reason to hold the admin key.
const allowedHeaders =
  'content-type, x-api-key, x-request-id, idempotency-key, range, if-range, if-match, if-none-match'

type CorsRequest = {
  readonly origin: string | undefined
  readonly preflight: boolean
  readonly methods: readonly string[]
}

/**
 * Returns a function that creates the CORS headers of a response, which let pages of the configured origins call the
 * API. `*` allows every origin; this is safe, since keys are sent in their own header and never in a cookie. Origins
 * are compared literally: `https://app.example`.
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
