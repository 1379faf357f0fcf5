/** A page is ordered by the UTF-8 bytes of the key. `after` is exclusive. */
export type Page = { readonly after?: string; readonly limit: number }
