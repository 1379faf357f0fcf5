import { operations } from '@cairn/contracts/api/operations'
import type { Endpoint, Guard, Route } from '@cairn/runtime/http/api-request'
import { jsonBody } from '@cairn/runtime/http/json-body'
import { announcedBytes } from '@cairn/runtime/http/read-body'
import type { Health } from '@cairn/runtime/process/health'
import type { Metrics } from '@cairn/runtime/process/metrics'
import { liveness, metricsText, readiness } from '@cairn/runtime/process/service-info'
import type { ByteBudget } from '@cairn/runtime/throttles/byte-budget'
import { createAccount, getUsage, listAccounts, listTiers, updateAccount } from './admin/accounts.ts'
import { createKey, listKeys, updateKey } from './admin/keys.ts'
import { approveOrphans, listOrphans } from './admin/orphans.ts'
import { answer } from './answer/answer.ts'
import { type Caller, ownerOf } from './call.ts'
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
import { getEvaluation, keepEvaluation, listEvaluations } from './evaluations/evaluations.ts'
import { streamEvents } from './events/stream-events.ts'
import { createUploadUrl } from './files/create-upload-url.ts'
import { deleteFiles } from './files/delete-files.ts'
import { fileDownloads } from './files/file-content.ts'
import { getFileStatus } from './files/file-status.ts'
import { listFiles } from './files/list-files.ts'
import { abortMultipartUpload, completeMultipartUpload, startMultipartUpload } from './files/multipart-upload.ts'
import { pageFiles } from './files/page-files.ts'
import { retryFile } from './files/retry-file.ts'
import { type SignedPuts, signedPut } from './files/signed-put.ts'
import { updateFile } from './files/update-file.ts'
import { uploadFile } from './files/upload-file.ts'
import type { Gate } from './gate.ts'
import { adminKey } from './guards/admin-key.ts'
import { type Authentication, createAuthentication } from './guards/authenticate.ts'
import { countUsage } from './guards/count-usage.ts'
import { formHeaders } from './guards/form-body.ts'
import { limitInFlight } from './guards/limit-in-flight.ts'
import { idempotent } from './idempotent.ts'
import { checkOrigin, type McpDeps, mcpEndpoint, mcpKeyOf } from './mcp/mcp-endpoint.ts'
import { createNamespace } from './namespaces/create-namespace.ts'
import { deleteNamespace } from './namespaces/delete-namespace.ts'
import { getNamespace, listNamespaces } from './namespaces/get-namespaces.ts'
import { listModels } from './namespaces/list-models.ts'
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
    readonly gate: Gate
    readonly cursors: Cursors
    readonly downloadTokens: Cursors
    /** Unset: the host that a request was sent to. */
    readonly publicUrl: string | undefined
    readonly meter: UsageMeter
    /** For the HMACs of stored secrets. */
    readonly hmacKey: Uint8Array
    /** Encrypts stored responses to requests with an idempotency key. */
    readonly responseKey: Uint8Array
    /** Unset: no admin API. */
    readonly adminKey: string | undefined
    readonly minTextLength: number
    readonly legacyCamelCase: boolean
    readonly requestsPerKey: number
    readonly signedPuts: SignedPuts | undefined
    /** Unset: no console. */
    readonly console: ConsoleDeps | undefined
    /** JSON bodies in progress. */
    readonly bodies: ByteBudget
    readonly health: Health
    readonly metrics: Metrics
  }

const row = (endpoint: Endpoint<Caller>, guards: Route<Caller>['guards']): Route<Caller> => ({ ...endpoint, guards })

/** Guards are in the order of their checks: key, scope, subscription, usage, body. */
export const routes = (deps: RouteTableDeps): Route<Caller>[] => {
  const responseBudget = createResponseBudget()
  const searchNamespaces = createNamespaceSearch(deps)
  const authentication = createAuthentication(deps)
  const admitting = { ...deps, readableBy: authentication.readableBy }
  const events = streamEvents(admitting)
  const downloads = fileDownloads(admitting)
  const caller: Guard<Caller>[] = [authentication.guard(), limitInFlight(deps.requestsPerKey), countUsage(deps)]
  const json = jsonBody<Caller>({ budget: deps.bodies, ownerOf })
  const withBody: Guard<Caller>[] = [...caller, json]
  /** Whatever the Content-Type. */
  const optionalJson: Guard<Caller> = (request) => (announcedBytes(request.raw) === 0 ? undefined : json(request))
  const withOptionalBody: Guard<Caller>[] = [...caller, optionalJson]
  const admin = deps.adminKey === undefined ? undefined : adminKey(deps.adminKey)
  const table: Route<Caller>[] = [
    row(createNamespace(deps), withBody),
    row(listNamespaces(deps), caller),
    row(getNamespace(deps), caller),
    row(deleteNamespace(deps), caller),
    row(startReindex(deps), withOptionalBody),
    row(getReindex(deps), caller),
    row(flipReindex(deps), caller),
    row(rollBackReindex(deps), caller),
    row(endReindex(deps), caller),
    row(startReextraction(deps), caller),
    row(getReextraction(deps), caller),
    row(keepEvaluation(deps), withBody),
    row(listEvaluations(deps), caller),
    row(getEvaluation(deps), caller),
    row(uploadDocuments(deps), withBody),
    row(withBudget(responseBudget, itemsOfGet, getDocuments(deps)), withBody),
    row(withBudget(responseBudget, itemsOfPage, fetchTextData(deps)), caller),
    row(withBudget(responseBudget, itemsOfFilter, filterTextData(deps)), withBody),
    row(deleteItems(deps, operations.deleteDocuments), withBody),
    row(uploadVectors(deps), withBody),
    row(deleteItems(deps, operations.deleteVectors), withBody),
    row(createUploadUrl(deps), withBody),
    row(uploadFile(deps), [...caller, formHeaders]),
    row(listFiles(deps), caller),
    row(deleteFiles(deps), withOptionalBody),
    row(getFileStatus(deps), caller),
    row(pageFiles(deps), caller),
    row(downloads.content, caller),
    row(downloads.createUrl, caller),
    row(downloads.signedContent, []),
    row(updateFile(deps), withBody),
    row(retryFile(deps), withOptionalBody),
    row(startMultipartUpload(deps), withBody),
    row(completeMultipartUpload(deps), withBody),
    row(abortMultipartUpload(deps), withBody),
    row(withBudget(responseBudget, itemsOfSearch, search({ ...deps, searchNamespaces })), withBody),
    row(answer({ ...deps, searchNamespaces, responseBudget }), withBody),
    row(events.ofAccount, caller),
    row(events.ofNamespace, caller),
    row(listModels(deps), caller),
    row(getDeletion(deps), caller),
    row(listUploads(deps), caller),
    row(retryFailed(deps), withOptionalBody),
    row(retryUpload(deps), withOptionalBody),
    row(listUploadDocuments(deps), caller),
    row(getUpload(deps), caller),
    row(createConsoleCode(deps.console), caller),
    row(getOwnUsage(deps), caller),
    ...(deps.signedPuts ? [row(signedPut(deps.signedPuts, deps), [])] : []),
    ...(admin ? adminRoutes(deps, admin, json) : []),
    ...(deps.mcp === 'read' || deps.mcp === 'write' ? [mcpRoute(deps, authentication, json)] : []),
    row(liveness(deps.health), []),
    row(readiness(deps.health), []),
    row(metricsText(deps.metrics), []),
    row(openApiDocument(), []),
    row(docsPage(), []),
    row(docsScript(), []),
    ...(deps.console ? consoleRoutes(deps.console) : []),
  ]
  const once = idempotent(deps)
  const counted = countInNamespaces(deps.meter)
  return table.map((route) => counted(route.operation.idempotencyKey ? once(route) : route))
}

const consoleRoutes = (deps: ConsoleDeps): Route<Caller>[] => {
  const files = consoleFiles()
  const json = jsonBody<Caller>({ limitBytes: 4_096 })
  return [row(consolePage(files), []), row(consoleSession(deps), [fromThisPage, json]), row(consoleAsset(files), [])]
}

/** Its tools send their own requests, which count as usage; the message itself does not. */
const mcpRoute = (deps: RouteTableDeps, { guard }: Authentication, json: Guard<Caller>): Route<Caller> =>
  row(mcpEndpoint(deps), [checkOrigin(deps), guard(mcpKeyOf), limitInFlight(deps.requestsPerKey), json])

const adminRoutes = (deps: RouteTableDeps, admin: Guard<Caller>, json: Guard<Caller>): Route<Caller>[] => [
  row(createAccount(deps), [admin, json]),
  row(listAccounts(deps), [admin]),
  row(updateAccount(deps), [admin, json]),
  row(listTiers(deps), [admin]),
  row(createKey(deps), [admin, json]),
  row(listKeys(deps), [admin]),
  row(updateKey(deps), [admin, json]),
  row(getUsage(deps), [admin]),
  row(listOrphans(deps), [admin]),
  row(approveOrphans(deps), [admin, jsonBody()]),
]
