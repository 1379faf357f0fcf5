import { notTextBased } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { extractionVersion } from '@cairn/domain/files/extraction-version'
import type { Reextraction } from '@cairn/domain/namespaces/record'
import type { ResponseBody } from '@cairn/runtime/http/endpoint'
import type { NamespaceCall } from '../call.ts'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import { iso, isoOrNull } from '../iso.ts'

type View = ResponseBody<typeof operations.getReextraction, 200>

const viewOf = ({ name }: ReadableNamespace, last: Reextraction | null, outdated: number): View => ({
  namespace_name: name,
  state: last?.endedAt === null ? 'running' : 'idle',
  extraction_version: extractionVersion,
  outdated_files: outdated,
  progress: last && {
    total: last.total,
    extracted: last.extracted,
    failed: last.failed,
    without_bytes: last.withoutBytes,
  },
  started_at: last && iso(last.startedAt),
  ended_at: isoOrNull(last?.endedAt ?? null),
})

const find = async (call: NamespaceCall): Promise<ReadableNamespace> => {
  const namespace = await call.readable.namespace(call.params.namespace_name)
  if (namespace.type !== 'text') throw notTextBased(namespace.name)
  return namespace
}

/** Counts outdated files only while none is running, because that reads the records of all files. */
const read = async (deps: GatewayPorts, call: NamespaceCall) => {
  const namespace = await find(call)
  const last = namespace.reextraction ?? null
  if (last?.endedAt === null) {
    const { total, extracted, failed, withoutBytes } = last
    return { namespace, last, outdated: Math.max(0, total - extracted - failed - withoutBytes), isRunning: true }
  }
  const outdated = await deps.store.files.countOutdated(namespace.id, extractionVersion)
  return { namespace, last, outdated, isRunning: false }
}

/** Starts to extract again the files that earlier versions have extracted. */
export const startReextraction = (deps: GatewayPorts) =>
  accountEndpoint(operations.startReextraction, async (call) => {
    const { store, clock, ids } = deps
    const { namespace, last, outdated, isRunning } = await read(deps, call)
    if (isRunning || outdated === 0) return { status: isRunning ? 202 : 200, body: viewOf(namespace, last, outdated) }
    const begun: Reextraction = {
      id: ids.next('reextraction'),
      startedAt: clock.now(),
      endedAt: null,
      cursor: '',
      underWay: [],
      total: outdated,
      extracted: 0,
      failed: 0,
      withoutBytes: 0,
    }
    if (await store.namespaces.beginReextraction(namespace.id, begun))
      return { status: 202, body: viewOf(namespace, begun, outdated) }
    // Another request has begun one in the meantime, or deleted the namespace.
    const other = await read(deps, call)
    return { status: 202, body: viewOf(other.namespace, other.last, other.outdated) }
  })

export const getReextraction = (deps: GatewayPorts) =>
  accountEndpoint(operations.getReextraction, async (call) => {
    const { namespace, last, outdated } = await read(deps, call)
    return { status: 200, body: viewOf(namespace, last, outdated) }
  })
