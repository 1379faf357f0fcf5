import { notFound, notTextBased } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { shownCount } from '@cairn/domain/accounts/record'
import type { Namespace, Reindex } from '@cairn/domain/namespaces/record'
import { identityOf, modelName } from '@cairn/domain/ports/embedder'
import type { ResponseBody } from '@cairn/runtime/http/endpoint'
import type { NamespaceCall } from '../call.ts'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso, isoOrNull } from '../iso.ts'
import { chooseModel } from './choose-model.ts'
import { estimateReindex } from './estimate-reindex.ts'

const dayMs = 86_400_000

const phaseNames = {
  filling: 'filling',
  filled: 'filled',
  closing: 'flipping',
  former: 'kept',
  removing: 'removing',
} as const satisfies Record<Reindex['phase'], string>

/** Assumes the average speed of the phase so far. */
const estimatedEndOf = ({ phase, phaseAt, passed, total, error }: Reindex, now: number): number | null => {
  if ((phase !== 'filling' && phase !== 'closing') || passed === 0 || error !== null) return null
  return now + (Math.max(0, total - passed) * (now - phaseAt)) / passed
}

type View = ResponseBody<typeof operations.getReindex, 200>

const viewOf = ({ clock }: Pick<GatewayPorts, 'clock'>, { name, embedding }: Namespace, reindex: Reindex): View => {
  const { phase, passed, written, rejected, comparison, flippedAt, keepMs, queries } = reindex
  return {
    namespace_name: name,
    phase: phaseNames[phase],
    model: embedding ? modelName(embedding) : '',
    other_model: modelName(reindex.embedding),
    flip: reindex.isAutomatic ? 'automatic' : 'manual',
    keep_days: keepMs / dayMs,
    progress: { total: Math.max(reindex.total, passed), passed, written, rejected },
    error: reindex.error,
    queries: queries === null ? null : queries.length,
    comparison: comparison && {
      queries: comparison.queries,
      overlap_at_10: comparison.overlap,
      median_ms: comparison.medianMs,
      other_median_ms: comparison.secondMedianMs,
    },
    started_at: iso(reindex.startedAt),
    phase_started_at: iso(reindex.phaseAt),
    estimated_completion: isoOrNull(estimatedEndOf(reindex, clock.now())),
    flipped_at: isoOrNull(flippedAt),
    kept_until: phase === 'former' && flippedAt !== null ? iso(flippedAt + keepMs) : null,
  }
}

const refused = ({ name }: Namespace, message: string): AppError =>
  new AppError('conflict', message, { body: { namespace_name: name } })

const hasReindex = (namespace: Namespace, { phase }: Reindex): AppError =>
  refused(namespace, `The namespace has a reindex, which is ${phaseNames[phase]}; end it first`)

/** Only estimates if `dry_run`. */
export const startReindex = (deps: GatewayPorts) =>
  accountEndpoint(operations.startReindex, async (call) => {
    const { store, embedders, clock, ids } = deps
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const sent = call.body()
    const { embedding: from } = namespace
    if (!from) throw notTextBased(namespace.name)
    const embedder = chooseModel(embedders, sent.model)
    if (identityOf(embedder.model) === identityOf(from))
      throw refused(namespace, `The namespace has the model ${modelName(from)} already; choose another one`)
    if (namespace.reindex) throw hasReindex(namespace, namespace.reindex)
    if (sent.dry_run) return { status: 200, body: await estimateReindex(deps, namespace, embedder, call.signal) }
    const at = clock.now()
    const reindex: Reindex = {
      id: ids.next('reindex'),
      embedding: embedder.model,
      phase: 'filling',
      isAutomatic: sent.flip === 'automatic',
      keepMs: sent.keep_days * dayMs,
      startedAt: at,
      phaseAt: at,
      flippedAt: null,
      cursor: null,
      total: shownCount(namespace.itemCount),
      passed: 0,
      written: 0,
      rejected: 0,
      error: null,
      queries: sent.compare_queries ? [] : null,
      comparison: null,
    }
    if (await store.namespaces.beginReindex(namespace.id, from, reindex))
      return { status: 202, body: viewOf(deps, namespace, reindex) }
    const current = await call.readable.namespace(call.params.namespace_name)
    throw current.reindex
      ? hasReindex(current, current.reindex)
      : refused(current, 'The namespace has changed; try again')
  })

const findReindex = async (call: NamespaceCall) => {
  const namespace = await call.readable.namespace(call.params.namespace_name)
  const { reindex } = namespace
  if (!reindex) throw notFound('reindex')
  return { namespace, reindex }
}

export const getReindex = (deps: GatewayPorts) =>
  accountEndpoint(operations.getReindex, async (call) => {
    const { namespace, reindex } = await findReindex(call)
    return { status: 200, body: viewOf(deps, namespace, reindex) }
  })

type Changing = typeof operations.flipReindex | typeof operations.rollBackReindex | typeof operations.endReindex

/** The changes to make, `done` if an earlier request made them, or `impossible`. */
type Decision = Partial<Omit<Reindex, 'id' | 'embedding'>> | 'done' | 'impossible'

const decided = (operation: Changing, what: string, decide: (reindex: Reindex) => Decision) => (deps: GatewayPorts) =>
  accountEndpoint(operation, async (call) => {
    const { namespace, reindex } = await findReindex(call)
    const decision = decide(reindex)
    if (decision === 'impossible')
      throw refused(namespace, `A reindex that is ${phaseNames[reindex.phase]} can not be ${what}`)
    if (decision === 'done') return { status: 202, body: viewOf(deps, namespace, reindex) }
    const change = { ...decision, phaseAt: deps.clock.now(), cursor: null, error: null, queries: null }
    const changed = await deps.store.namespaces.changeReindex(namespace.id, reindex, change)
    if (changed?.reindex) return { status: 202, body: viewOf(deps, changed, changed.reindex) }
    throw refused(namespace, 'The reindex has changed meanwhile; read its state and try again')
  })

const closing = { phase: 'closing', passed: 0, rejected: 0 } as const

/** Switches even if the new model rejects some items. */
export const flipReindex = decided(operations.flipReindex, 'flipped', ({ phase, flippedAt }) => {
  if (phase === 'filled') return { ...closing, isAutomatic: false }
  return phase === 'closing' && flippedAt === null ? 'done' : 'impossible'
})

export const rollBackReindex = decided(operations.rollBackReindex, 'rolled back', ({ phase, flippedAt }) => {
  if (phase === 'former') return closing
  return phase === 'closing' && flippedAt !== null ? 'done' : 'impossible'
})

export const endReindex = decided(operations.endReindex, 'ended while it is rolled back', ({ phase, flippedAt }) => {
  if (phase === 'removing') return 'done'
  return phase === 'closing' && flippedAt !== null ? 'impossible' : { phase: 'removing' }
})
