/** One page of a listing. `after` is exclusive; the order is that of the key's UTF-8 bytes. */
export type Page = { readonly after?: string; readonly limit: number }

/** null: unlimited. */
export type Limit = number | null
