import { setTimeout as pause } from 'node:timers/promises'
import type { Ledger } from '@cairn/testing/ledger'
import type { Account } from './load.ts'
import { places } from './places.ts'
import type { System } from './system.ts'

export const probeKinds = ['upload', 'vectors', 'get', 'search'] as const
export type ProbeKind = (typeof probeKinds)[number]

/** One request and its response; `status` is 0 without a response. Times by `performance.now()`. */
export type Probe = {
  readonly kind: ProbeKind
  readonly gateway: string
  readonly at: number
  readonly ms: number
  readonly status: number
  readonly retryAfter: string | null
}

const everyMs = 400
const answerWithinMs = 15_000

const place = (vector: boolean) =>
  places.find(({ dimension, churn }) => (dimension !== undefined) === vector && (vector || !churn)) ?? { name: '' }

type Sent = { readonly path: string; readonly body: object; readonly asked: Parameters<Ledger['begin']>[1] }

const requestOf = (kind: ProbeKind, number: number): Sent => {
  const [text, shapes] = [place(false), place(true)]
  const id = `probe-${kind}-${number}`
  const words = `Probe ${number} of ${kind}: asked while something is away.`
  if (kind === 'upload') {
    const documents = [{ id, text: words, metadata: {} }]
    return {
      path: `/v1/namespaces/${text.name}/documents`,
      body: { documents: [{ id, text: words }] },
      asked: { kind, namespace: text.name, documents },
    }
  }
  if (kind === 'vectors') {
    const vector = Array.from({ length: shapes.dimension ?? 0 }, (_, index) =>
      Math.fround(Math.sin(number * 31 + index + 1)),
    )
    const documents = [{ id, text: words, metadata: {}, vector }]
    return {
      path: `/v1/namespaces/${shapes.name}/vectors`,
      body: { vectors: [{ id, text: words, vector }] },
      asked: { kind: 'upload', namespace: shapes.name, documents },
    }
  }
  if (kind === 'get')
    return {
      path: `/v1/namespaces/${text.name}/documents/get`,
      body: { ids: [id] },
      asked: { kind, namespace: text.name, ids: [] },
    }
  return {
    path: '/v1/search',
    body: { query: 'river stone garden', namespaces: [text.name] },
    asked: { kind, namespaces: [text.name] },
  }
}

/** Sends requests of every kind to every gateway until `stop` is called, one at a time for each kind and gateway. */
export const startProbes = (
  { cluster, ledger, endedAt }: Pick<System, 'cluster' | 'ledger' | 'endedAt'>,
  account: Account,
) => {
  const probes: Probe[] = []
  const stopped = new AbortController()
  let made = 0
  const ask = async (kind: ProbeKind, gateway: string, url: string): Promise<void> => {
    made += 1
    const { path, body, asked } = requestOf(kind, made)
    const entry = ledger.begin(account.accountId, asked)
    const at = performance.now()
    let [status, retryAfter]: [number, string | null] = [0, null]
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'x-api-key': account.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerWithinMs),
      })
      const answer = (await response.json()) as { readonly upload_id?: string }
      status = response.status
      retryAfter = response.headers.get('retry-after')
      if (status < 300) ledger.acknowledge(entry, answer.upload_id === undefined ? {} : { uploadId: answer.upload_id })
      else if (status < 500) ledger.refuse(entry)
    } catch {
      // No response: the outcome stays unknown.
    }
    endedAt.set(entry, performance.now())
    probes.push({ kind, gateway, at, ms: performance.now() - at, status, retryAfter })
  }
  const askForEver = async (kind: ProbeKind, index: number) => {
    while (!stopped.signal.aborted) {
      const gateway = cluster.of('gateway')[index]
      if (gateway && gateway.port() !== 0) await ask(kind, gateway.name, `http://127.0.0.1:${gateway.port()}`)
      await pause(everyMs)
    }
  }
  const running = Promise.all(
    probeKinds.flatMap((kind) => cluster.of('gateway').map((_, index) => askForEver(kind, index))),
  )
  return {
    probes,
    stop: async (): Promise<readonly Probe[]> => {
      stopped.abort()
      await running
      return probes
    },
  }
}

/** Whether requests of each kind must be served while an engine is down. */
export const servedWithout = {
  kafka: { upload: true, vectors: true, get: true, search: true },
  mongodb: { upload: false, vectors: false, get: false, search: false },
  // Text is indexed later; vectors can be found as soon as their upload is answered.
  qdrant: { upload: true, vectors: false, get: true, search: false },
  minio: { upload: true, vectors: true, get: true, search: true },
} as const satisfies { readonly [engine: string]: { readonly [K in ProbeKind]: boolean } }

const answersWithinMs = 5_000
/** Slack for a busy machine. */
const toleranceMs = 500

/**
 * Returns the faults of responses while an engine was down (F4): too late, an unexpected status, or an error without
 * Retry-After.
 */
export const probeFaults = (probes: readonly Probe[], served: { readonly [K in ProbeKind]: boolean }): string[] => {
  const faults = new Map<string, number>()
  const add = (fault: string) => faults.set(fault, (faults.get(fault) ?? 0) + 1)
  for (const { kind, status, ms, retryAfter } of probes) {
    if (ms > answersWithinMs + toleranceMs) add(`${kind} took more than ${answersWithinMs / 1_000} s`)
    if (status === 0) add(`${kind} had no answer`)
    else if (status === 503 && !/^[1-9]\d*$/.test(retryAfter ?? '')) add(`${kind} was refused without Retry-After`)
    else if (status !== 503 && status >= 300) add(`${kind} was answered ${status}`)
    else if (served[kind] && status === 503) add(`${kind} was refused although nothing it needs is away`)
  }
  return [...faults].map(([fault, count]) => `F4: ${fault} (${count} times)`)
}

/** Formats the figures for the report: `202: 40, 503: 3; slowest 512 ms`. */
export const probeFigures = (probes: readonly Probe[]): { readonly [K in ProbeKind]?: string } =>
  Object.fromEntries(
    [...Map.groupBy(probes, ({ kind }) => kind)].map(([kind, own]) => {
      const statuses = [...Map.groupBy(own, ({ status }) => status)]
        .sort(([a], [b]) => a - b)
        .map(([status, all]) => `${status || 'no answer'}: ${all.length}`)
      return [kind, `${statuses.join(', ')}; slowest ${Math.round(Math.max(...own.map(({ ms }) => ms)))} ms`]
    }),
  )
