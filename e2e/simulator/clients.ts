import { operations } from '@cairn/contracts/api/operations'
import { isAppError } from '@cairn/contracts/errors'
import type { Account, ApiKey } from '@cairn/domain/accounts/record'
import type { Caller } from '@cairn/gateway/call'
import { createCursors } from '@cairn/gateway/documents/cursor'
import { deleteItems } from '@cairn/gateway/documents/delete-items'
import { fetchTextData } from '@cairn/gateway/documents/fetch-text-data'
import { getDocuments } from '@cairn/gateway/documents/get-documents'
import { uploadDocuments } from '@cairn/gateway/documents/upload-documents'
import { createEstimates, type Estimates } from '@cairn/gateway/estimates'
import { keepEvaluation } from '@cairn/gateway/evaluations/evaluations'
import { createGate } from '@cairn/gateway/gate'
import { createNamespace } from '@cairn/gateway/namespaces/create-namespace'
import { deleteNamespace } from '@cairn/gateway/namespaces/delete-namespace'
import { search } from '@cairn/gateway/search/search'
import { createNamespaceSearch } from '@cairn/gateway/search/search-namespaces'
import { getUpload } from '@cairn/gateway/uploads/get-upload'
import { uploadVectors } from '@cairn/gateway/vectors/upload-vectors'
import type { ApiRequest, Endpoint } from '@cairn/runtime/http/api-request'
import { type CoverageOf, createLanguageCoverage } from '@cairn/runtime/process/language-coverage'
import { guardedRequest } from '@cairn/testing/guarded-request'
import {
  createLedger,
  type LedgerEntry,
  type LedgerRequest,
  type ReturnedDocument,
  type SentDocument,
} from '@cairn/testing/ledger'
import type { Random } from '@cairn/testing/seeded-random'
import { breakingWord, debatableWord, dimension, refusedWord, vectorOf } from './embedder.ts'
import type { Oracle } from './oracle.ts'
import type { OpKind, Profile } from './profile.ts'
import type { Incarnation } from './scheduler.ts'
import type { World } from './world.ts'

const cursors = createCursors(new Uint8Array(32).fill(7))
const filterTerm = 'kind:note'

type Input = {
  readonly params?: Record<string, string>
  readonly query?: Record<string, string>
  readonly body?: unknown
}
type Row = {
  readonly id: string
  readonly text: string
  readonly metadata: Record<string, unknown>
  readonly namespace?: string
}

/** A request for some ids of a namespace. */
export type Wish = {
  readonly kind: OpKind
  readonly accountId: string
  readonly namespace: string
  readonly ids: readonly string[]
}

/** Approximate number of steps of a request. */
const stepsOf: { readonly [K in LedgerRequest['kind']]: number } = {
  upload: 13,
  delete: 12,
  createNamespace: 5,
  deleteNamespace: 4,
  get: 2,
  walk: 8,
  search: 4,
  evaluate: 4,
}

export type Manner = {
  /** Probability that a document can't be embedded, or not by every process, or not always. */
  readonly poisoned?: number
  /** Whether only some processes can embed the documents. */
  readonly debatable?: boolean
  /** The request pauses before one of the steps in this range, counted from 0. */
  readonly hesitates?: readonly [from: number, to: number]
  /** Whether the request's first body arrives late. */
  readonly late?: boolean
}

/** Creates clients of the API, which send random requests and record the responses. */
export const createClients = (options: {
  readonly world: World
  readonly random: Random
  readonly profile: Profile
  readonly accounts: readonly Account[]
  readonly oracle: Oracle
}) => {
  const { world, random, profile, accounts, oracle } = options
  const ledger = createLedger()
  const underWay = new Map<LedgerEntry, Incarnation>()
  const failures: string[] = []
  const wishes: Wish[] = []
  let manner: Manner = {}
  let texts = 0

  const gateway = () => {
    const alive = world.processes.filter(
      ({ service, life }) => service === 'gateway' && !life.dead && life.pausedUntil <= world.scheduler.now(),
    )
    return alive.length === 0 ? undefined : random.pick(alive)
  }

  const tiers = { tier: { ...profile.limits, requests: null, bytes: null, openUploads: null } }
  type Deps = ReturnType<World['portsOf']> & {
    readonly estimates: Estimates
    readonly coverageOf: CoverageOf
    readonly tiers: typeof tiers
    readonly minTextLength: number
    readonly cursors: typeof cursors
  }
  const deleting = (deps: Deps) => deleteItems(deps, operations.deleteDocuments)
  const searching = (deps: Deps) => search({ ...deps, searchNamespaces: createNamespaceSearch(deps) })

  /** Sends one request through one gateway; the request is refused if no gateway can be reached. */
  const send = (
    entry: LedgerEntry,
    work: (call: (endpoint: (deps: Deps) => Endpoint<Caller>, input: Input) => Promise<unknown>) => Promise<void>,
  ) => {
    const process = gateway()
    const account = accounts.find(({ id }) => id === entry.accountId)
    if (!process || !account) {
      ledger.refuse(entry)
      return
    }
    const { life } = process
    const actor = world.requestOf(`${process.name} ${entry.name}`, life, {
      steps: stepsOf[entry.request.kind],
      ...manner,
    })
    const ports = world.portsOf(process, life, actor)
    const deps = {
      ...ports,
      estimates: createEstimates(ports),
      coverageOf: createLanguageCoverage(ports),
      tiers,
      minTextLength: 1,
      cursors,
    }
    const gone = random.chance(world.state.chaos ? profile.clientsGone : 0)
    underWay.set(entry, life)
    const call = async (endpoint: (deps: Deps) => Endpoint<Caller>, { params = {}, query = {}, body }: Input) => {
      const { operation, handle } = endpoint(deps)
      const caller = { account, key: { id: 'key' } as ApiKey, readable: createGate(ports.store)(account) }
      const reply = await handle({
        ...guardedRequest(operation),
        requestId: entry.name,
        caller,
        params,
        sentQuery: query,
        sentBody: body,
      } as ApiRequest<Caller>)
      if (gone) {
        underWay.delete(entry)
        await new Promise(() => undefined)
      }
      return reply.body
    }
    world.scheduler.note(
      `${actor.name} BEGINS: ${JSON.stringify(entry.request)}${gone ? ' (the client will be gone)' : ''}`,
    )
    work(call)
      .catch((error: unknown) => {
        if (gone || isAppError(error, 'unavailable')) return
        if (isAppError(error) && error.code !== 'internal')
          return ledger.refuse(entry, { notFound: error.body['error'] === 'Namespace not found' })
        failures.push(
          `${entry.name} failed for no good reason: ${error instanceof Error ? error.stack : String(error)}`,
        )
      })
      .finally(() => {
        underWay.delete(entry)
        followUp(entry)
        world.scheduler.note(`${actor.name} ENDS: ${entry.outcome} ${JSON.stringify(entry.answered)}`)
      })
  }

  /** Schedules requests immediately after a response, when errors are most likely to show. */
  const followUp = ({ accountId, request, outcome }: LedgerEntry) => {
    if (!world.state.chaos || outcome === 'unknown' || !('namespace' in request)) return
    const { kind, namespace } = request
    const then = (next: OpKind, chance: number, ids: readonly string[] = profile.ids) => {
      if (random.chance(chance)) wishes.push({ kind: next, accountId, namespace, ids })
    }
    if (kind === 'createNamespace') then(outcome === 'refused' ? 'makeNamespace' : 'upload', 0.5)
    if (outcome === 'refused') return
    if (kind === 'upload') then(random.pick(['get', 'search', 'upload']), 0.3)
    if (kind === 'delete') then(random.pick(['search', 'get', 'upload']), 0.5, request.ids)
    if (kind === 'deleteNamespace') then('makeNamespace', 0.8)
  }

  const poison = (): readonly string[] => {
    if (manner.debatable) return [debatableWord]
    return random.chance(manner.poisoned ?? profile.poisoned)
      ? [refusedWord, debatableWord, debatableWord, breakingWord]
      : []
  }
  const newText = (poisons: readonly string[]): string => {
    texts += 1
    // One to three passages.
    const words = Array.from({ length: 3 + random.below(12) }, (_, index) => `w${index}`)
    if (poisons.length > 0) words[random.below(words.length)] = random.pick(poisons)
    return `text ${texts} ${words.join(' ')}`
  }
  const newDocuments = (vector: boolean, ids: readonly string[]): SentDocument[] =>
    ids.map((id) => {
      const text = newText(vector ? [] : poison())
      return {
        id,
        text,
        metadata: { kind: 'note', of: text.slice(0, 8) },
        ...(vector ? { vector: [...vectorOf(text)] } : {}),
      }
    })
  const someIds = () => random.shuffle(profile.ids).slice(0, 1 + random.below(profile.ids.length))
  const toReturned = (rows: readonly Row[], namespace: string): ReturnedDocument[] =>
    rows.map(({ id, text, metadata, namespace: own = namespace }) => ({ id, text, metadata, namespace: own }))
  const failedIds = (rows: readonly { readonly id: string }[] = []) => rows.map(({ id }) => id)

  const upload = (accountId: string, namespace: string, ids: readonly string[]) => {
    const documents = newDocuments(false, ids)
    const entry = ledger.begin(accountId, { kind: 'upload', namespace, documents })
    send(entry, async (call) => {
      const body = { documents: documents.map(({ id, text, metadata }) => ({ id, text, ...metadata })) }
      const answer = (await call(uploadDocuments, { params: { namespace_name: namespace }, body })) as {
        upload_id: string
        failed_documents?: { id: string }[]
      }
      ledger.acknowledge(entry, { uploadId: answer.upload_id, refusedIds: failedIds(answer.failed_documents) })
    })
  }
  const putVectors = (accountId: string, namespace: string, ids: readonly string[]) => {
    const documents = newDocuments(true, ids)
    const entry = ledger.begin(accountId, { kind: 'upload', namespace, documents })
    send(entry, async (call) => {
      const body = { vectors: documents.map(({ id, text, metadata, vector }) => ({ id, text, vector, ...metadata })) }
      const answer = (await call(uploadVectors, { params: { namespace_name: namespace }, body })) as {
        upload_id: string
        failed_vectors?: { id: string }[]
      }
      ledger.acknowledge(entry, { uploadId: answer.upload_id, refusedIds: failedIds(answer.failed_vectors) })
    })
  }
  const remove = (accountId: string, namespace: string, ids: readonly string[]) => {
    const entry = ledger.begin(accountId, { kind: 'delete', namespace, ids })
    send(entry, async (call) => {
      await call(deleting, { params: { namespace_name: namespace }, body: { ids } })
      for (const { id, text } of oracle.stillFound(accountId, namespace, ids)) {
        const sent = ledger.entries.find(
          ({ request }) => request.kind === 'upload' && request.documents.some((document) => document.text === text),
        )
        if (sent && sent.endedAt < entry.startedAt)
          failures.push(
            `I7: ${entry.name} is acknowledged, and ${namespace}/${id} is still found as ${sent.name} sent it`,
          )
      }
      ledger.acknowledge(entry)
    })
  }
  const makeNamespace = (accountId: string, namespace: string, type: 'text' | 'vector') => {
    const entry = ledger.begin(accountId, { kind: 'createNamespace', namespace })
    send(entry, async (call) => {
      await call(createNamespace, {
        body: { namespace_name: namespace, type, vector_dimension: type === 'vector' ? dimension : null },
      })
      ledger.acknowledge(entry)
    })
  }
  const dropNamespace = (accountId: string, namespace: string) => {
    const entry = ledger.begin(accountId, { kind: 'deleteNamespace', namespace })
    send(entry, async (call) => {
      await call(deleteNamespace, { params: { namespace_name: namespace } })
      ledger.acknowledge(entry)
    })
  }
  const get = (accountId: string, namespace: string, ids: readonly string[]) => {
    const entry = ledger.begin(accountId, { kind: 'get', namespace, ids })
    send(entry, async (call) => {
      const { items } = (await call(getDocuments, { params: { namespace_name: namespace }, body: { ids } })) as {
        items: Row[]
      }
      ledger.acknowledge(entry, { returned: toReturned(items, namespace) })
    })
  }
  const walk = (accountId: string, namespace: string) => {
    const entry = ledger.begin(accountId, { kind: 'walk', namespace })
    send(entry, async (call) => {
      const rows: Row[] = []
      for (let token: string | null | undefined; token !== null; ) {
        const page = (await call(fetchTextData, {
          params: { namespace_name: namespace },
          query: { limit: '1', ...(token === undefined ? {} : { next_token: token }) },
        })) as { items: Row[]; pagination: { next_token: string | null } }
        rows.push(...page.items)
        token = page.pagination.next_token
        if (rows.length > 100) throw new Error('a page walk does not end')
      }
      ledger.acknowledge(entry, { returned: toReturned(rows, namespace) })
    })
  }
  const find = (accountId: string, namespaces: readonly string[], query: string | readonly number[]) => {
    const entry = ledger.begin(accountId, { kind: 'search', namespaces })
    send(entry, async (call) => {
      const watch = oracle.watchSearch(accountId, namespaces)
      const { results } = (await call(searching, { body: { query, namespaces, top_k: 100 } })) as { results: Row[] }
      const found = toReturned(results, namespaces[0] ?? '')
      const fault = watch(found)
      if (fault) failures.push(`${entry.name}: ${fault}`)
      ledger.acknowledge(entry, { returned: found })
    })
  }
  const evaluate = (accountId: string, namespace: string) => {
    const entry = ledger.begin(accountId, { kind: 'evaluate', namespace })
    const scores = { ndcg_at_10: [1], recall_at_10: [1], first_ranks: [1] }
    const body = { questions_hash: '0'.repeat(64), mode: 'hybrid', model: 'lexical', ...scores }
    send(entry, async (call) => {
      await call(keepEvaluation, { params: { namespace_name: namespace }, body })
      ledger.acknowledge(entry)
    })
  }
  const status = (accountId: string) => {
    const known = ledger.entries.filter(
      (entry) => entry.accountId === accountId && entry.answered.uploadId !== undefined,
    )
    if (known.length === 0) return
    const of = random.pick(known)
    const namespace = of.request.kind === 'upload' ? of.request.namespace : ''
    const entry = ledger.begin(accountId, { kind: 'get', namespace, ids: [] })
    send(entry, async (call) => {
      await call(getUpload, { params: { namespace_name: namespace, upload_id: of.answered.uploadId ?? '' } })
      ledger.acknowledge(entry)
    })
  }

  const textNames = profile.namespaces.filter(({ type }) => type === 'text').map(({ name }) => name)
  const vectorNames = profile.namespaces.filter(({ type }) => type === 'vector').map(({ name }) => name)

  const wishAtRandom = (kind: OpKind): Wish => {
    const names =
      kind === 'upload' || kind === 'walk' || kind === 'filter' || kind === 'evaluate'
        ? textNames
        : kind === 'vectors'
          ? vectorNames
          : [...textNames, ...vectorNames]
    return { kind, accountId: random.pick(accounts).id, namespace: random.pick(names), ids: someIds() }
  }
  /** Performs a random request, or one that follows from an earlier response. */
  const perform = (drawn: OpKind) => {
    const wish = (random.chance(0.7) ? wishes.shift() : undefined) ?? wishAtRandom(drawn)
    if (random.chance(profile.rivals)) rivals.push(wish)
    act(wish)
  }
  const rivals: Wish[] = []
  /** Sends a concurrent request for the ids of another request; returns false if none is pending. */
  const rival = (drawn: OpKind): boolean => {
    const wish = rivals.shift()
    if (wish) act({ ...wish, kind: drawn })
    return wish !== undefined
  }
  const act = ({ kind, accountId, namespace, ids }: Wish, how: Manner = {}) => {
    manner = how
    const isVector = vectorNames.includes(namespace)
    if (kind === 'upload' || kind === 'vectors') (isVector ? putVectors : upload)(accountId, namespace, ids)
    else if (kind === 'delete') remove(accountId, namespace, ids)
    else if (kind === 'makeNamespace') makeNamespace(accountId, namespace, isVector ? 'vector' : 'text')
    else if (kind === 'dropNamespace') dropNamespace(accountId, namespace)
    else if (kind === 'get') get(accountId, namespace, profile.ids)
    else if (kind === 'walk' && !isVector) walk(accountId, namespace)
    else if (kind === 'status') status(accountId)
    else if (kind === 'evaluate') evaluate(accountId, namespace)
    else if (kind === 'filter') find(accountId, textNames, `#${filterTerm}`)
    else if (isVector) find(accountId, [namespace], [...vectorOf('anything')])
    else find(accountId, random.chance(0.5) ? [namespace] : textNames, 'anything')
  }

  return {
    ledger,
    failures,
    act,
    perform,
    rival,
    /** Whether the request's namespace exists and is not being deleted. */
    isThere: ({ accountId, namespace }: Wish): boolean =>
      world.namespaces().some((one) => one.accountId === accountId && one.name === namespace && one.state === 'active'),
    /** Returns a random request for a single id. */
    target: (): Wish => ({ ...wishAtRandom(random.pick(profile.requests)[0]), ids: [random.pick(profile.ids)] }),
    makeNamespace,
    get,
    walk,
    find,
    /** Returns the number of requests whose response may still arrive. */
    pending: (): number => [...underWay.values()].filter((life) => !life.dead).length,
  }
}

export type Clients = ReturnType<typeof createClients>
