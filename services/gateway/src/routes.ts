import { operations } from '@cairn/contracts/api/operations'
import type { Endpoint, Route } from '@cairn/runtime/http/api-request'
import type { Health } from '@cairn/runtime/process/health'
import type { Metrics } from '@cairn/runtime/process/metrics'
import { liveness, metricsText, readiness } from '@cairn/runtime/process/service-info'
import { createAccount, getUsage, listAccounts, listTiers, updateAccount } from './admin/accounts.ts'
import { createKey, listKeys, updateKey } from './admin/keys.ts'
import { approveOrphans, listOrphans } from './admin/orphans.ts'
import { answer } from './answer/answer.ts'
import type { Caller } from './call.ts'
import { consoleFiles } from './console/console-files.ts'
import { consoleAsset, consolePage } from './console/console-page.ts'
import { type ConsoleDeps, consoleSession, createConsoleCode } from './console/console-session.ts'
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
import { type McpDeps, mcpEndpoint } from './mcp/mcp-endpoint.ts'
import { createNamespace } from './namespaces/create-namespace.ts'
import { deleteNamespace } from './namespaces/delete-namespace.ts'
import { getNamespace, listNamespaces } from './namespaces/get-namespaces.ts'
import { listModels } from './namespaces/list-models.ts'
import { getReextraction, startReextraction } from './namespaces/reextract.ts'
import { endReindex, flipReindex, getReindex, rollBackReindex, startReindex } from './namespaces/reindex.ts'
import { createPassage, type PassageDeps } from './passage.ts'
import { createResponseBudget } from './response-budget.ts'
import { retryFailed, retryUpload } from './retries/retry.ts'
import { search } from './search/search.ts'
import { createNamespaceSearch } from './search/search-namespaces.ts'
import { getUpload } from './uploads/get-upload.ts'
import { listUploadDocuments } from './uploads/list-upload-documents.ts'
import { listUploads } from './uploads/list-uploads.ts'
import { getOwnUsage } from './usage/get-own-usage.ts'
import { uploadVectors } from './vectors/upload-vectors.ts'

export type RouteTableDeps = FilePorts &
  AnswerPorts &
  McpDeps &
  Omit<PassageDeps, 'responseBudget'> & {
    readonly cursors: Cursors
    readonly downloadTokens: Cursors
    /** Unset: the host that a request was sent to. */
    readonly publicUrl: string | undefined
    readonly minTextLength: number
    readonly legacyCamelCase: boolean
    readonly signedPuts: SignedPuts | undefined
    /** Unset: no console. */
    readonly console: ConsoleDeps | undefined
    readonly health: Health
    readonly metrics: Metrics
  }

export const routes = (deps: RouteTableDeps): Route<Caller>[] => {
  const responseBudget = createResponseBudget()
  const searchNamespaces = createNamespaceSearch(deps)
  const { route, mcpRoute, consoleSessionRoute, readableBy } = createPassage({ ...deps, responseBudget })
  const events = streamEvents({ ...deps, readableBy })
  const downloads = fileDownloads({ ...deps, readableBy })
  const endpoints: Endpoint<Caller>[] = [
    createNamespace(deps),
    listNamespaces(deps),
    getNamespace(deps),
    deleteNamespace(deps),
    startReindex(deps),
    getReindex(deps),
    flipReindex(deps),
    rollBackReindex(deps),
    endReindex(deps),
    startReextraction(deps),
    getReextraction(deps),
    keepEvaluation(deps),
    listEvaluations(deps),
    getEvaluation(deps),
    uploadDocuments(deps),
    getDocuments(deps),
    fetchTextData(deps),
    filterTextData(deps),
    deleteItems(deps, operations.deleteDocuments),
    uploadVectors(deps),
    deleteItems(deps, operations.deleteVectors),
    createUploadUrl(deps),
    uploadFile(deps),
    listFiles(deps),
    deleteFiles(deps),
    getFileStatus(deps),
    pageFiles(deps),
    downloads.content,
    downloads.createUrl,
    downloads.signedContent,
    updateFile(deps),
    retryFile(deps),
    startMultipartUpload(deps),
    completeMultipartUpload(deps),
    abortMultipartUpload(deps),
    search({ ...deps, searchNamespaces }),
    answer({ ...deps, searchNamespaces, responseBudget }),
    events.ofAccount,
    events.ofNamespace,
    listModels(deps),
    getDeletion(deps),
    listUploads(deps),
    retryFailed(deps),
    retryUpload(deps),
    listUploadDocuments(deps),
    getUpload(deps),
    createConsoleCode(deps.console),
    getOwnUsage(deps),
    ...(deps.signedPuts ? [signedPut(deps.signedPuts, deps)] : []),
    ...(deps.adminKey === undefined ? [] : adminEndpoints(deps)),
    liveness(deps.health),
    readiness(deps.health),
    metricsText(deps.metrics),
    openApiDocument(),
    docsPage(),
    docsScript(),
    ...(deps.console ? consolePages() : []),
  ]
  return [
    ...endpoints.map(route),
    ...(deps.mcp === 'read' || deps.mcp === 'write' ? [mcpRoute(mcpEndpoint(deps))] : []),
    ...(deps.console ? [consoleSessionRoute(consoleSession(deps.console))] : []),
  ]
}

const consolePages = (): Endpoint<Caller>[] => {
  const files = consoleFiles()
  return [consolePage(files), consoleAsset(files)]
}

const adminEndpoints = (deps: RouteTableDeps): Endpoint<Caller>[] => [
  createAccount(deps),
  listAccounts(deps),
  updateAccount(deps),
  listTiers(deps),
  createKey(deps),
  listKeys(deps),
  updateKey(deps),
  getUsage(deps),
  listOrphans(deps),
  approveOrphans(deps),
]
