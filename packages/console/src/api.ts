import { type Admin, Cairn, CairnError, type CairnOptions, type Chunk, type PageOptions } from '@cairn/client'

// Additions of the page to the API's client.

export type Api = Cairn

/** Calls `fetch` without cookies; if it fails, throws an error with a message for users. */
export const send: typeof fetch = async (input, init) => {
  try {
    return await fetch(input, { ...init, credentials: 'omit' })
  } catch (cause) {
    throw new CairnError('network', 'Cairn cannot be reached. Is it running?', { cause })
  }
}

const connect = (options: CairnOptions): Cairn =>
  // No retries: TanStack Query already retries reads, and the attempts would multiply. Changes are repeated by the
  // user.
  new Cairn({ url: location.origin, retries: 0, fetch: send, ...options })

/** Creates a client with the API key of an account. */
export const createApi = (apiKey: string, options?: Pick<CairnOptions, 'fetch'>): Api => connect({ apiKey, ...options })

/** Creates a client of the admin API with the admin key. */
export const createAdminApi = (adminKey: string): Admin => connect({ adminKey }).admin

/** One row of the list of documents; holds only the part of the text that the row shows. */
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

/** Exchanges the code from the URL for an API key. */
export const exchangeCode = async (code: string): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const response = await send('/console/session', { method: 'POST', headers, body: JSON.stringify({ code }) })
  const answer: { readonly api_key?: string; readonly message?: string } = await response.json().catch(() => ({}))
  if (answer.api_key === undefined) throw new Error(answer.message ?? `The server answered ${response.status}.`)
  return answer.api_key
}
