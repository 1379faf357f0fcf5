import { type Admin, Cairn, CairnError, type CairnOptions, type Chunk, type PageOptions } from '@cairn/client'

export type Api = Cairn

/** Calls `fetch` without cookies; throws errors with a message for users. */
export const send: typeof fetch = async (input, init) => {
  try {
    return await fetch(input, { ...init, credentials: 'omit' })
  } catch (cause) {
    throw new CairnError('network', 'Cairn cannot be reached. Is it running?', { cause })
  }
}

const connect = (options: CairnOptions): Cairn =>
  // TanStack Query already retries reads, and the attempts would multiply. Users repeat changes.
  new Cairn({ url: location.origin, retries: 0, fetch: send, ...options })

export const createApi = (apiKey: string, options?: Pick<CairnOptions, 'fetch'>): Api => connect({ apiKey, ...options })

export const createAdminApi = (adminKey: string): Admin => connect({ adminKey }).admin

export type DocumentRow = Pick<Chunk, 'id' | 'is_summary' | 'created_at'> & { readonly excerpt: string }
export type DocumentPage = { readonly rows: readonly DocumentRow[]; readonly next: string | null }

const excerptLength = 240
export const excerptOf = (text: string): string => text.slice(0, excerptLength)

/** Returns one page in the order of the ids. */
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

export const exchangeCode = async (code: string): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const response = await send('/console/session', { method: 'POST', headers, body: JSON.stringify({ code }) })
  const answer: { readonly api_key?: string; readonly message?: string } = await response.json().catch(() => ({}))
  if (answer.api_key === undefined) throw new Error(answer.message ?? `The server answered ${response.status}.`)
  return answer.api_key
}
