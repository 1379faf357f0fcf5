import { foreignNextToken } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { Cursors } from '../documents/cursor.ts'
import { currentOutcomes, documentViews } from './document-states.ts'
import { wallTimesOf } from './upload-view.ts'

export const listUploadDocuments = (deps: GatewayPorts & { readonly cursors: Cursors }) =>
  accountEndpoint(operations.listUploadDocuments, async (call) => {
    const { store, cursors } = deps
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const { state, limit, next_token: token } = call.query()
    const job = await call.readable.upload(namespace, call.params.upload_id)
    // A position in the upload, whose documents and order don't change once it is accepted.
    const binding = { accountId: call.account.id, namespaceId: `${namespace.id} ${job.id}` }
    const opened = token === undefined ? '0' : cursors.open(token, binding)
    if (opened === undefined) throw foreignNextToken('upload')
    const outcomes = await currentOutcomes(store, job)
    const all = documentViews(job, outcomes, wallTimesOf(deps, job, await store.now()))
    const left = all
      .map((document, position) => ({ document, position }))
      .slice(Number(opened))
      .filter(({ document }) => state === undefined || document.state === state)
    const page = left.slice(0, limit)
    const next = left.length > page.length ? left[page.length]?.position : undefined
    return {
      status: 200,
      body: {
        upload_id: job.id,
        namespace_name: namespace.name,
        documents: page.map(({ document }) => document),
        pagination: {
          limit,
          has_more: next !== undefined,
          next_token: next === undefined ? null : cursors.seal(String(next), binding),
        },
      },
    }
  })
