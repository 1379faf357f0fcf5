/**
 * Decodes keys of listings. Listings request URL encoding, because XML can't represent all characters of keys, but not
 * every store supports it.
 */
export const keyReader =
  (encoding: string | undefined) =>
  (key: string | undefined): string =>
    encoding === 'url' ? decodeURIComponent((key ?? '').replaceAll('+', ' ')) : (key ?? '')
