type Page = { readonly pagination: { readonly has_more: boolean; readonly next_token: string | null } }
/** Empty for the first page. */
type Next = { readonly next_token?: string }

export const pagesOf = async function* <P extends Page>(
  read: (next: Next) => Promise<P>,
  start?: string,
): AsyncGenerator<P> {
  for (let token: string | null | undefined = start; token !== null; ) {
    const page: P = await read(token === undefined ? {} : { next_token: token })
    yield page
    token = page.pagination.has_more ? page.pagination.next_token : null
  }
}
