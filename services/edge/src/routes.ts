import { edgeDimensions } from '@cairn/contracts/edge-rules'
import { edgeApiInfo, edgeOperations } from '@cairn/contracts/http/edge'
import { limits } from '@cairn/contracts/limits'
import { buildOpenApi } from '@cairn/contracts/openapi'
import type { Endpoint, Guard, Route } from '@cairn/runtime/api-request'
import { createByteBudget } from '@cairn/runtime/byte-budget'
import { endpoint } from '@cairn/runtime/endpoint'
import { createFairSlots } from '@cairn/runtime/fair-slots'
import { jsonBody } from '@cairn/runtime/json-body'
import { admit, type Caller, checkHost } from './admit.ts'
import type { EdgeAnswers } from './answer.ts'
import type { Edge } from './edge.ts'

export type RouteTableDeps = {
  readonly edge: Edge
  readonly answers: EdgeAnswers
  readonly key: string | undefined
  readonly maxUploadMegabytes: number
  /** Maximum number of items in the store. */
  readonly maxItems: number
}

/** An upload may have twice as many items as the store holds, so that it is rejected for capacity, not for its size. */
const uploadCounts = (maxItems: number) => {
  const items = 2 * maxItems
  return {
    keys: limits.jsonKeys + 8 * items,
    containers: limits.jsonContainers + 2 * items,
    elements: limits.jsonElements + (edgeDimensions.most + 8) * items,
  }
}

const openApi = (): Endpoint<Caller> => {
  let text: Buffer | undefined
  return endpoint(edgeOperations.openApi, () => {
    text ??= Buffer.from(JSON.stringify(buildOpenApi(Object.values(edgeOperations), { info: edgeApiInfo })))
    return { status: 200, body: text, headers: { 'content-type': 'application/json; charset=utf-8' } }
  })
}

const row = (served: Endpoint<Caller>, guards: Route<Caller>['guards']): Route<Caller> => ({ ...served, guards })

const mebibyte = 1024 * 1024
/** Bytes of bodies in progress at once; a single upload may be larger. */
const bodyBytes = 96 * mebibyte
/** The whole store is one answer, in memory until it is sent. */
const exportsAtOnce = { size: 3, perOwner: 3, longestWaitMs: 20_000, what: 'exports are being read' }

export const routes = ({ edge, answers, key, maxUploadMegabytes, maxItems }: RouteTableDeps): Route<Caller>[] => {
  const o = edgeOperations
  const limitBytes = maxUploadMegabytes * mebibyte
  const budget = createByteBudget({ totalBytes: Math.max(bodyBytes, limitBytes), ownerBytes: Number.POSITIVE_INFINITY })
  const anybody: Guard<Caller>[] = [checkHost(key)]
  const user: Guard<Caller>[] = [...anybody, admit(key)]
  const withBody: Guard<Caller>[] = [...user, jsonBody({ budget })]
  const withUpload: Guard<Caller>[] = [...user, jsonBody({ budget, limitBytes, most: uploadCounts(maxItems) })]
  const exporting = createFairSlots(exportsAtOnce)
  return [
    row(
      endpoint(o.health, async () => ({ status: 200, body: await edge.health() })),
      anybody,
    ),
    row(
      endpoint(o.export, async ({ onEnd, signal }) => {
        onEnd(await exporting.take('', signal))
        return { status: 200, body: await edge.export() }
      }),
      user,
    ),
    row(
      endpoint(o.upload, async ({ sentBody }) => ({ status: 200, body: await edge.upload(sentBody) })),
      withUpload,
    ),
    row(
      endpoint(o.search, async ({ sentBody }) => ({ status: 200, body: await edge.search(sentBody) })),
      withBody,
    ),
    row(
      endpoint(o.answer, async ({ sentBody, signal }) => ({
        status: 200,
        body: await answers.answer(sentBody, signal),
      })),
      withBody,
    ),
    row(
      endpoint(o.answerStream, async ({ sentBody, signal }) => ({
        status: 200,
        events: await answers.events(sentBody, signal),
      })),
      withBody,
    ),
    row(
      endpoint(o.deleteItems, async ({ sentBody }) => ({ status: 200, body: await edge.deleteItems(sentBody) })),
      withBody,
    ),
    row(
      endpoint(o.clear, async () => ({ status: 200, body: await edge.clear() })),
      user,
    ),
    row(openApi(), anybody),
  ]
}
