import { edgeApiInfo, edgeOperations } from '@cairn/contracts/http/edge'
import { buildOpenApi } from '@cairn/contracts/openapi'
import type { Guard, Route } from '@cairn/runtime/api-request'
import { jsonBody } from '@cairn/runtime/json-body'
import { admit, type Caller } from './admit.ts'
import type { EdgeAnswers } from './answer.ts'
import type { Edge } from './edge.ts'

export type RouteTableDeps = {
  readonly edge: Edge
  readonly answers: EdgeAnswers
  readonly key: string | undefined
  readonly maxUploadMegabytes: number
}

const openApi = () => {
  let text: string | undefined
  return () => {
    text ??= JSON.stringify(buildOpenApi(Object.values(edgeOperations), edgeApiInfo))
    return { status: 200, body: text, headers: { 'content-type': 'application/json; charset=utf-8' } }
  }
}

export const routes = ({ edge, answers, key, maxUploadMegabytes }: RouteTableDeps): Route<Caller>[] => {
  const o = edgeOperations
  const user: Guard<Caller>[] = [admit(key)]
  const withBody: Guard<Caller>[] = [...user, jsonBody()]
  const withUpload: Guard<Caller>[] = [...user, jsonBody({ limitBytes: maxUploadMegabytes * 1024 * 1024 })]
  const ok = (body: unknown) => ({ status: 200, body })
  return [
    { operation: o.health, guards: [], handle: async () => ok(await edge.health()) },
    { operation: o.export, guards: user, handle: async () => ok(await edge.export()) },
    { operation: o.upload, guards: withUpload, handle: async ({ body }) => ok(await edge.upload(body)) },
    { operation: o.search, guards: withBody, handle: async ({ body }) => ok(await edge.search(body)) },
    { operation: o.answer, guards: withBody, handle: async ({ body, signal }) => ok(await answers.answer(body, signal)) },
    {
      operation: o.answerStream,
      guards: withBody,
      handle: async ({ body, signal }) => ({ status: 200, events: await answers.events(body, signal) }),
    },
    { operation: o.deleteItems, guards: withBody, handle: async ({ body }) => ok(await edge.deleteItems(body)) },
    { operation: o.clear, guards: user, handle: async () => ok(await edge.clear()) },
    { operation: o.openApi, guards: [], handle: openApi() },
  ]
}
