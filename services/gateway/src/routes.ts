import { createConsoleSession, getConsole, getConsoleAsset } from '@cairn/contracts/http/console'
import { sendMcpMessage } from '@cairn/contracts/http/mcp'
import { putSignedFile } from '@cairn/contracts/http/signed-put'
import { operations } from '@cairn/contracts/operations'
import type { Guard, Route } from '@cairn/runtime/api-request'
import type { ByteBudget } from '@cairn/runtime/byte-budget'
import type { Health } from '@cairn/runtime/health'
import { jsonBody } from '@cairn/runtime/json-body'
import type { Metrics } from '@cairn/runtime/metrics'
import { liveness, metricsText, readiness } from '@cairn/runtime/service-info'
import { createAccount, getUsage, listAccounts, updateAccount } from './admin/accounts.ts'
import { listDeadLetters, replayDeadLetter } from './admin/dead-letters.ts'
import { createKey, listKeys, updateKey } from './admin/keys.ts'
import { approveOrphans, listOrphans } from './admin/orphans.ts'
import { answer } from './answer/answer.ts'
import { type Caller, forAccount, ownerOf } from './call.ts'
import { consoleFiles } from './console/console-files.ts'
import { consoleAsset, consolePage } from './console/console-page.ts'
import { type ConsoleDeps, consoleSession, createConsoleCode, fromThisPage } from './console/console-session.ts'
import { countInNamespaces } from './count-in-namespaces.ts'
import { getDeletion } from './deletions/get-deletion.ts'
import type { AnswerPorts, FilePorts } from './deps.ts'
import { docsPage, docsScript, openApiDocument } from './docs-page.ts'
import type { Cursors } from './documents/cursor.ts'
import { deleteItems } from './documents/delete-items.ts'
import { fetchTextData, filterTextData } from './documents/fetch-text-data.ts'
import { getDocuments } from './documents/get-documents.ts'
import { uploadDocuments } from './documents/upload-documents.ts'
import { streamEvents } from './events/stream-events.ts'
import { createUploadUrl } from './files/create-upload-url.ts'
import { deleteFiles } from './files/delete-files.ts'
import { getFileStatus } from './files/file-status.ts'
import { listFiles } from './files/list-files.ts'
import { abortMultipartUpload, completeMultipartUpload, startMultipartUpload } from './files/multipart-upload.ts'
import { retryFile } from './files/retry-file.ts'
import { type SignedPuts, signedPut } from './files/signed-put.ts'
import { uploadFile } from './files/upload-file.ts'
import { adminKey } from './guards/admin-key.ts'
import { type Authentication, createAuthentication } from './guards/authenticate.ts'
import { countUsage } from './guards/count-usage.ts'
import { formHeaders } from './guards/form-body.ts'
import { limitInFlight } from './guards/limit-in-flight.ts'
import { optionalJsonBody } from './guards/optional-json-body.ts'
import { idempotent } from './idempotent.ts'
import { checkOrigin, type McpDeps, mcpEndpoint, mcpKeyOf } from './mcp/mcp-endpoint.ts'
import { createNamespace } from './namespaces/create-namespace.ts'
import { deleteNamespace } from './namespaces/delete-namespace.ts'
import { getNamespace } from './namespaces/get-namespace.ts'
import { listNamespaces } from './namespaces/list-namespaces.ts'
import { getReextraction, startReextraction } from './namespaces/reextract.ts'
import { endReindex, flipReindex, getReindex, rollBackReindex, startReindex } from './namespaces/reindex.ts'
import {
  createResponseBudget,
  itemsOfFilter,
  itemsOfGet,
  itemsOfPage,
  itemsOfSearch,
  withBudget,
} from './response-budget.ts'
import { retryFailed, retryUpload } from './retries/retry.ts'
import { search } from './search/search.ts'
import { createNamespaceSearch } from './search/search-namespaces.ts'
import { getUpload } from './uploads/get-upload.ts'
import { listUploadDocuments } from './uploads/list-upload-documents.ts'
import { listUploads } from './uploads/list-uploads.ts'
import { getOwnUsage } from './usage/get-own-usage.ts'
import type { UsageMeter } from './usage-meter.ts'
import { uploadVectors } from './vectors/upload-vectors.ts'

export type RouteTableDeps = FilePorts &
  AnswerPorts &
  McpDeps & {
    readonly cursors: Cursors
    readonly meter: UsageMeter
    /** Key of the HMAC under which secrets are stored. */
    readonly hmacKey: Uint8Array
    /** Key under which responses to requests with an idempotency key are stored. */
    readonly responseKey: Uint8Array
    /** Unset: no admin API. */
    readonly adminKey: string | undefined
    readonly minTextLength: number
    readonly legacyCamelCase: boolean
    readonly requestsPerKey: number
    readonly signedPuts: SignedPuts | undefined
    /** Unset: no console. */
    readonly console: ConsoleDeps | undefined
    /** Counts the JSON bodies in progress. */
    readonly bodies: ByteBudget
    readonly health: Health
    readonly metrics: Metrics
  }

/** The API's index. The order of the guards is the order of the checks: key, scope, subscription, usage, body. */
export const routes = (deps: RouteTableDeps): Route<Caller>[] => {
  const o = operations
  const responseBudget = createResponseBudget()
  const searchNamespaces = createNamespaceSearch(deps)
  const authentication = createAuthentication(deps)
  const events = streamEvents({ ...deps, isAdmitted: authentication.isAdmitted })
  const caller: Guard<Caller>[] = [authentication.guard(), limitInFlight(deps.requestsPerKey), countUsage(deps)]
  const json = jsonBody<Caller>({ budget: deps.bodies, ownerOf })
  const withBody: Guard<Caller>[] = [...caller, json]
  const admin = deps.adminKey === undefined ? undefined : adminKey(deps.adminKey)
  const table: Route<Caller>[] = [
    { operation: o.createNamespace, guards: withBody, handle: forAccount(createNamespace(deps)) },
    { operation: o.listNamespaces, guards: caller, handle: forAccount(listNamespaces(deps)) },
    { operation: o.getNamespace, guards: caller, handle: forAccount(getNamespace(deps)) },
    { operation: o.deleteNamespace, guards: caller, handle: forAccount(deleteNamespace(deps)) },
    { operation: o.startReindex, guards: [...caller, optionalJsonBody(json)], handle: forAccount(startReindex(deps)) },
    { operation: o.getReindex, guards: caller, handle: forAccount(getReindex(deps)) },
    { operation: o.flipReindex, guards: caller, handle: forAccount(flipReindex(deps)) },
    { operation: o.rollBackReindex, guards: caller, handle: forAccount(rollBackReindex(deps)) },
    { operation: o.endReindex, guards: caller, handle: forAccount(endReindex(deps)) },
    { operation: o.startReextraction, guards: caller, handle: forAccount(startReextraction(deps)) },
    { operation: o.getReextraction, guards: caller, handle: forAccount(getReextraction(deps)) },
    { operation: o.uploadDocuments, guards: withBody, handle: forAccount(uploadDocuments(deps)) },
    {
      operation: o.getDocuments,
      guards: withBody,
      handle: forAccount(withBudget(responseBudget, itemsOfGet, getDocuments(deps))),
    },
    {
      operation: o.fetchTextData,
      guards: caller,
      handle: forAccount(withBudget(responseBudget, itemsOfPage, fetchTextData(deps))),
    },
    {
      operation: o.filterTextData,
      guards: withBody,
      handle: forAccount(withBudget(responseBudget, itemsOfFilter, filterTextData(deps))),
    },
    { operation: o.deleteDocuments, guards: withBody, handle: forAccount(deleteItems(deps)) },
    { operation: o.uploadVectors, guards: withBody, handle: forAccount(uploadVectors(deps)) },
    { operation: o.deleteVectors, guards: withBody, handle: forAccount(deleteItems(deps)) },
    { operation: o.createUploadUrl, guards: withBody, handle: forAccount(createUploadUrl(deps)) },
    { operation: o.uploadFile, guards: [...caller, formHeaders], handle: forAccount(uploadFile(deps)) },
    { operation: o.listFiles, guards: caller, handle: forAccount(listFiles(deps)) },
    { operation: o.deleteFiles, guards: [...caller, optionalJsonBody(json)], handle: forAccount(deleteFiles(deps)) },
    { operation: o.getFileStatus, guards: caller, handle: forAccount(getFileStatus(deps)) },
    { operation: o.retryFile, guards: [...caller, optionalJsonBody(json)], handle: forAccount(retryFile(deps)) },
    { operation: o.startMultipartUpload, guards: withBody, handle: forAccount(startMultipartUpload(deps)) },
    { operation: o.completeMultipartUpload, guards: withBody, handle: forAccount(completeMultipartUpload(deps)) },
    { operation: o.abortMultipartUpload, guards: withBody, handle: forAccount(abortMultipartUpload(deps)) },
    {
      operation: o.search,
      guards: withBody,
      handle: forAccount(withBudget(responseBudget, itemsOfSearch, search({ ...deps, searchNamespaces }))),
    },
    { operation: o.answer, guards: withBody, handle: forAccount(answer({ ...deps, searchNamespaces })) },
    { operation: o.getEvents, guards: caller, handle: forAccount(events.ofAccount) },
    { operation: o.getNamespaceEvents, guards: caller, handle: forAccount(events.ofNamespace) },
    { operation: o.getDeletion, guards: caller, handle: forAccount(getDeletion(deps)) },
    { operation: o.listUploads, guards: caller, handle: forAccount(listUploads(deps)) },
    { operation: o.retryFailed, guards: [...caller, optionalJsonBody(json)], handle: forAccount(retryFailed(deps)) },
    { operation: o.retryUpload, guards: [...caller, optionalJsonBody(json)], handle: forAccount(retryUpload(deps)) },
    { operation: o.listUploadDocuments, guards: caller, handle: forAccount(listUploadDocuments(deps)) },
    { operation: o.getUpload, guards: caller, handle: forAccount(getUpload(deps)) },
    { operation: o.createConsoleCode, guards: caller, handle: createConsoleCode(deps.console) },
    { operation: o.getOwnUsage, guards: caller, handle: forAccount(getOwnUsage(deps)) },
    ...(deps.signedPuts ? [{ operation: putSignedFile, guards: [], handle: signedPut(deps.signedPuts, deps) }] : []),
    ...(admin ? adminRoutes(deps, admin, json) : []),
    ...(deps.mcp === 'read' || deps.mcp === 'write' ? [mcpRoute(deps, authentication, json)] : []),
    { operation: o.getLiveness, guards: [], handle: liveness(deps.health) },
    { operation: o.getReadiness, guards: [], handle: readiness(deps.health) },
    { operation: o.getMetrics, guards: [], handle: metricsText(deps.metrics) },
    { operation: o.getOpenApi, guards: [], handle: openApiDocument() },
    { operation: o.getDocs, guards: [], handle: docsPage() },
    { operation: o.getDocsScript, guards: [], handle: docsScript() },
    ...(deps.console ? consoleRoutes(deps.console) : []),
  ]
  const once = idempotent(deps)
  const counted = countInNamespaces(deps.meter)
  return table.map((route) => counted(route.operation.idempotencyKey ? once(route) : route))
}

const consoleRoutes = (deps: ConsoleDeps): Route<Caller>[] => {
  const files = consoleFiles()
  const json = jsonBody<Caller>({ limitBytes: 4_096 })
  return [
    { operation: getConsole, guards: [], handle: consolePage(files) },
    { operation: createConsoleSession, guards: [fromThisPage, json], handle: consoleSession(deps) },
    { operation: getConsoleAsset, guards: [], handle: consoleAsset(files) },
  ]
}

/** Its tools send requests of their own, which count as usage: the message itself does not. */
const mcpRoute = (deps: RouteTableDeps, { guard }: Authentication, json: Guard<Caller>): Route<Caller> => ({
  operation: sendMcpMessage,
  guards: [checkOrigin(deps), guard(mcpKeyOf), limitInFlight(deps.requestsPerKey), json],
  handle: mcpEndpoint(deps),
})

const adminRoutes = (deps: RouteTableDeps, admin: Guard<Caller>, json: Guard<Caller>): Route<Caller>[] => {
  const o = operations
  return [
    { operation: o.createAccount, guards: [admin, json], handle: createAccount(deps) },
    { operation: o.listAccounts, guards: [admin], handle: listAccounts(deps) },
    { operation: o.updateAccount, guards: [admin, json], handle: updateAccount(deps) },
    { operation: o.createKey, guards: [admin, json], handle: createKey(deps) },
    { operation: o.listKeys, guards: [admin], handle: listKeys(deps) },
    { operation: o.updateKey, guards: [admin, json], handle: updateKey(deps) },
    { operation: o.getUsage, guards: [admin], handle: getUsage(deps) },
    { operation: o.listDeadLetters, guards: [admin], handle: listDeadLetters(deps) },
    { operation: o.replayDeadLetter, guards: [admin], handle: replayDeadLetter(deps) },
    { operation: o.listOrphans, guards: [admin], handle: listOrphans(deps) },
    { operation: o.approveOrphans, guards: [admin, jsonBody()], handle: approveOrphans(deps) },
  ]
}
