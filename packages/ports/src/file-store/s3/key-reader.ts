/** Keys come encoded, where the store does that as asked: XML does not carry all that a key may hold. */
export const keyReader =
  (encoding: string | undefined) =>
  (key: string | undefined): string =>
    encoding === 'url' ? decodeURIComponent((key ?? '').replaceAll('+', ' ')) : (key ?? '')
