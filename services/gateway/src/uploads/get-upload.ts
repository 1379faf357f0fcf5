import { operations } from '@cairn/contracts/api/operations'
import type { IndexJob } from '@cairn/domain/items/record'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { waitFor } from '../wait-for.ts'
import { currentOutcomes, documentViews } from './document-states.ts'
import { estimatedEndOf, uploadFields, wallTimesOf } from './upload-view.ts'

const isFinished = ({ finishedAt }: IndexJob): boolean => finishedAt !== null

export const getUpload = (deps: GatewayPorts) =>
  accountEndpoint(operations.getUpload, async (call) => {
    const { store } = deps
    const { wait } = call.query()
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const read = () => call.readable.upload(namespace, call.params.upload_id)
    const job = await waitFor(deps, { seconds: wait, signal: call.signal }, read, isFinished)
    const outcomes = await currentOutcomes(store, job)
    const storeTime = await store.now()
    const documents = documentViews(job, outcomes, wallTimesOf(deps, job, storeTime))
    const counts = { pending: 0, completed: 0, failed: 0, superseded: 0, deleted: 0 }
    for (const { outcome } of documents) counts[outcome] += 1
    return {
      status: 200,
      body: {
        ...uploadFields(deps, job, outcomes, storeTime, await estimatedEndOf(deps, job, outcomes)),
        namespace_name: namespace.name,
        documents,
        counts,
      },
    }
  })
