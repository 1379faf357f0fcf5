import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { ApiRequest, Endpoint, HttpResponse } from '@cairn/runtime/http/api-request'
import { clientLeft } from '@cairn/runtime/http/client-left'
import { waitInQueue } from '@cairn/runtime/throttles/wait-in-queue'
import { type Caller, ownerOf } from './call.ts'

/** One account's responses in memory at once, from their creation until they are sent. */
const accountBytes = 48 * 1024 * 1024
/** Text in UTF-8 and metadata. */
export const itemBytes = 4 * limits.maxTextLength + limits.metadataBytes
const maxWaitMs = 10_000

type Waiting = { readonly bytes: number; readonly begin: () => void }
type Owner = { held: number; readonly waiting: Waiting[] }
/** An account's large responses are created one at a time, and wait until earlier ones are read. */
export const createResponseBudget = () => {
  const owners = new Map<string, Owner>()
  const fits = ({ held }: Owner, bytes: number) => held === 0 || held + bytes <= accountBytes
  const releaseBytes = (accountId: string, owner: Owner, bytes: number) => {
    owner.held -= bytes
    for (let next = owner.waiting[0]; next && fits(owner, next.bytes); next = owner.waiting[0]) {
      owner.waiting.shift()
      owner.held += next.bytes
      next.begin()
    }
    if (owner.held === 0 && owner.waiting.length === 0) owners.delete(accountId)
  }
  const late = () =>
    new AppError(
      'limited',
      'Too many large searches, answers or pages of this account at once; retry once earlier ones are read.',
      {
        retryAfterSeconds: 2,
      },
    )
  const wait = (owner: Owner, bytes: number, signal: AbortSignal): Promise<void> => {
    const leave = () => void owner.waiting.splice(owner.waiting.indexOf(me), 1)
    const { begun, begin } = waitInQueue<void>({ signal, leave, maxWaitMs, late })
    const me = { bytes, begin }
    owner.waiting.push(me)
    return begun
  }
  return {
    heldBytes: (accountId: string): number => owners.get(accountId)?.held ?? 0,
    /** AppError `limited` after 10 s without capacity. */
    reserve: async (accountId: string, bytes: number, signal: AbortSignal) => {
      if (signal.aborted) throw clientLeft()
      const owner = owners.get(accountId) ?? { held: 0, waiting: [] }
      owners.set(accountId, owner)
      if (owner.waiting.length === 0 && fits(owner, bytes)) owner.held += bytes
      else await wait(owner, bytes, signal)
      let mine = bytes
      /** Called once the size is known. */
      const shrinkTo = (left: number) => {
        if (left >= mine) return
        const spare = mine - left
        mine = left
        releaseBytes(accountId, owner, spare)
      }
      return { shrinkTo, release: (): void => shrinkTo(0) }
    },
  }
}

const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? 2 * value.length : JSON.stringify(value ?? null).length
/** Counts texts and metadata; the rest is small. */
const bytesOf = ({ body }: HttpResponse): number => {
  const { items, results } = (body ?? {}) as { readonly items?: unknown; readonly results?: unknown }
  const parts = Array.isArray(items) ? items : Array.isArray(results) ? results : []
  return parts.reduce<number>((sum, part: { readonly text?: unknown; readonly metadata?: unknown }) => {
    return sum + sizeOf(part.text) + sizeOf(part.metadata) + 500
  }, 1_000)
}

const between = (sent: unknown, max: number, fallback: number): number => {
  const value = sent ?? fallback
  // Not validated yet: `Number` of an object may throw.
  const requested = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return requested >= 1 && requested <= max ? Math.ceil(requested) : max
}
const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined

type Sent = Pick<ApiRequest<Caller>, 'sentQuery' | 'sentBody'>

/** With `fields=head` items have nothing large. */
const itemsOfPage = ({ sentQuery: sent }: Sent): number =>
  sent['fields'] === 'head' ? 1 : between(sent['limit'], limits.pageSize, limits.pageSize)
const itemsOfFilter = ({ sentBody: body }: Sent): number =>
  field(body, 'fields') === 'head' ? 1 : between(field(body, 'limit'), limits.pageSize, limits.pageSize)
const itemsOfGet = ({ sentBody: body }: Sent): number => {
  const ids = field(body, 'ids')
  return Array.isArray(ids) ? between(ids.length, limits.idsPerGet, 1) : 1
}
const itemsOfSearch = ({ sentBody: body }: Sent): number => between(field(body, 'top_k'), limits.topK, 10)

const itemCountByOperation = new Map<string, (sent: Sent) => number>([
  [operations.getDocuments.operationId, itemsOfGet],
  [operations.fetchTextData.operationId, itemsOfPage],
  [operations.filterTextData.operationId, itemsOfFilter],
  [operations.search.operationId, itemsOfSearch],
])

/** Reserves budget for as many full items as the response may have. Answers reserve theirs while they search. */
export const withBudget =
  (budget: ResponseBudget) =>
  (endpoint: Endpoint<Caller>): Endpoint<Caller> => {
    const { operation, handle } = endpoint
    const count = itemCountByOperation.get(operation.operationId)
    if (!count) return endpoint
    return {
      operation,
      handle: async (request) => {
        const { caller, signal, onEnd } = request
        const { shrinkTo, release } = await budget.reserve(ownerOf(caller), count(request) * itemBytes, signal)
        onEnd(release)
        const response = await handle(request)
        shrinkTo(bytesOf(response))
        return response
      },
    }
  }

export type ResponseBudget = ReturnType<typeof createResponseBudget>
