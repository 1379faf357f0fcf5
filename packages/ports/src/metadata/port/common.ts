/** A page of a listing. `after` is exclusive; the order is the key's, by UTF-8 bytes. */
export type Page = { readonly after?: string; readonly limit: number }

/** null: unlimited. */
export type Limit = number | null
