/** XML can't represent all characters of keys, so listings request URL encoding, which not every store supports. */
export const keyReader =
  (encoding: string | undefined) =>
  (key: string | undefined): string =>
    encoding === 'url' ? decodeURIComponent((key ?? '').replaceAll('+', ' ')) : (key ?? '')
