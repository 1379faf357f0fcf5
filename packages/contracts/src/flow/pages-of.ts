/**
 * Yields pages until one is not full. `keyOf`: the cursor after a page's last entry.
 *
 *     for await (const page of pagesOf(500, (page) => store.files.page(id, page), ({ name }) => name))
 */
export const pagesOf = async function* <E, K>(
  limit: number,
  read: (page: { readonly limit: number; readonly after?: K }) => Promise<readonly E[]>,
  keyOf: (last: E) => K,
): AsyncGenerator<readonly E[], undefined> {
  for (let after: K | undefined; ; ) {
    const page = await read({ limit, ...(after === undefined ? {} : { after }) })
    const last = page.at(-1)
    if (last !== undefined) yield page
    if (last === undefined || page.length < limit) return
    after = keyOf(last)
  }
}
