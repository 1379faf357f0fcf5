import { type Admin, Cairn, CairnError, type CairnOptions, type Chunk, type PageOptions } from '@cairn/client'

// What the page adds to the client of the API.

export type Api = Cairn

/** `fetch` without cookies, whose failure is a sentence for people. */
export const send: typeof fetch = async (input, init) => {
  try {
    return await fetch(input, { ...init, credentials: 'omit' })
  } catch (cause) {
    throw new CairnError('network', 'Cairn cannot be reached. Is it running?', { cause })
  }
}

const connect = (options: CairnOptions): Cairn =>
  // TanStack Query repeats what is read: attempts of both would multiply. A change is repeated by the person who made it.
  new Cairn({ url: location.origin, retries: 0, fetch: send, ...options })

/** What an account may do with its key. */
export const createApi = (apiKey: string, options?: Pick<CairnOptions, 'fetch'>): Api => connect({ apiKey, ...options })

/** What the operator may do with the admin key. */
export const createAdminApi = (adminKey: string): Admin => connect({ adminKey }).admin

/** One row of the list of documents: no more of the text than a row shows. */
export type DocumentRow = Pick<Chunk, 'id' | 'is_summary' | 'created_at'> & { readonly excerpt: string }
export type DocumentPage = { readonly rows: readonly DocumentRow[]; readonly next: string | null }

const excerptLength = 240
export const excerptOf = (text: string): string => text.slice(0, excerptLength)

/** Returns one page of documents and chunks in the order of their ids. */
export const listDocuments = async (api: Api, namespace: string, options: PageOptions): Promise<DocumentPage> => {
  for await (const { items, pagination } of api.documents.pages(namespace, options)) {
    const rows = items.map(({ id, is_summary, created_at, text }) => ({
      id,
      is_summary,
      created_at,
      excerpt: excerptOf(text),
    }))
    return { rows, next: pagination.next_token }
  }
  return { rows: [], next: null }
}

/** Exchanges the code of the address for an API key. */
export const exchangeCode = async (code: string): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const response = await send('/console/session', { method: 'POST', headers, body: JSON.stringify({ code }) })
  const answer: { readonly api_key?: string; readonly message?: string } = await response.json().catch(() => ({}))
  if (answer.api_key === undefined) throw new Error(answer.message ?? `The server answered ${response.status}.`)
  return answer.api_key
}
