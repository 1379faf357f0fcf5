import { buildOpenApi } from '@cairn/contracts/api/openapi'
import { edgeDimensions } from '@cairn/contracts/documents/edge-rules'
import { edgeApiInfo, edgeOperations } from '@cairn/contracts/http/edge'
import type { Operation } from '@cairn/contracts/http/operation'
import { limits } from '@cairn/contracts/limits'
import type { Guard, Route } from '@cairn/runtime/http/api-request'
import { type EndpointRequest, endpoint, type ReplyOf } from '@cairn/runtime/http/endpoint'
import { jsonBody } from '@cairn/runtime/http/json-body'
import { createByteBudget } from '@cairn/runtime/throttles/byte-budget'
import { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import { admit, type Caller, checkHost } from './admit.ts'
import type { EdgeAnswers } from './answer.ts'
import type { Edge } from './edge.ts'

export type RouteTableDeps = {
  readonly edge: Edge
  readonly answers: EdgeAnswers
  readonly key: string | undefined
  readonly maxUploadMegabytes: number
  readonly maxItems: number
}

/** Allows twice the store's items, so that an upload is rejected for capacity, not for its size. */
const uploadCounts = (maxItems: number) => {
  const items = 2 * maxItems
  return {
    keys: limits.jsonKeys + 8 * items,
    containers: limits.jsonContainers + 2 * items,
    elements: limits.jsonElements + (edgeDimensions.max + 8) * items,
  }
}

const createOpenApi = () => {
  let text: Buffer | undefined
  return () => {
    text ??= Buffer.from(JSON.stringify(buildOpenApi(Object.values(edgeOperations), { info: edgeApiInfo })))
    return text
  }
}
const json = { 'content-type': 'application/json; charset=utf-8' }

/** The operations parse bodies themselves, because a program may call them without HTTP. */
const row = <O extends Operation, const R extends ReplyOf<O>>(
  guards: Route<Caller>['guards'],
  operation: O,
  handle: (request: EndpointRequest<O, Caller>) => Promise<R>,
): Route<Caller> => ({ ...endpoint(operation, handle), guards })

const mebibyte = 1024 * 1024
/** Concurrent bodies; a single upload may be larger. */
const bodyBytes = 96 * mebibyte
/** Few, because an export holds the whole store in memory until it is sent. */
const exportsAtOnce = { size: 3, perOwner: 3, maxWaitMs: 20_000, what: 'exports are being read' }

export const routes = ({ edge, answers, key, maxUploadMegabytes, maxItems }: RouteTableDeps): Route<Caller>[] => {
  const o = edgeOperations
  const openApi = createOpenApi()
  const limitBytes = maxUploadMegabytes * mebibyte
  const budget = createByteBudget({ totalBytes: Math.max(bodyBytes, limitBytes), ownerBytes: Number.POSITIVE_INFINITY })
  const anybody: Guard<Caller>[] = [checkHost(key)]
  const user: Guard<Caller>[] = [...anybody, admit(key)]
  const withBody: Guard<Caller>[] = [...user, jsonBody({ budget })]
  const withUpload: Guard<Caller>[] = [...user, jsonBody({ budget, limitBytes, maxCounts: uploadCounts(maxItems) })]
  const exporting = new FairSlots(exportsAtOnce)
  return [
    row(anybody, o.health, async () => ({ status: 200, body: await edge.health() })),
    row(user, o.export, async ({ onEnd, signal }) => {
      onEnd(await exporting.take('', signal))
      return { status: 200, body: await edge.export() }
    }),
    row(withUpload, o.upload, async ({ sentBody }) => ({ status: 200, body: await edge.upload(sentBody) })),
    row(withBody, o.search, async ({ sentBody }) => ({ status: 200, body: await edge.search(sentBody) })),
    row(withBody, o.answer, async ({ sentBody, signal }) => ({
      status: 200,
      body: await answers.answer(sentBody, signal),
    })),
    row(withBody, o.answerStream, async ({ sentBody, signal }) => ({
      status: 200,
      events: await answers.events(sentBody, signal),
    })),
    row(withBody, o.deleteItems, async ({ sentBody }) => ({ status: 200, body: await edge.deleteItems(sentBody) })),
    row(user, o.clear, async () => ({ status: 200, body: await edge.clear() })),
    row(anybody, o.openApi, async () => ({ status: 200, body: openApi(), headers: json })),
  ]
}
