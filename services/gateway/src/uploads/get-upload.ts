import { waitQuery } from '@cairn/contracts/http/common'
import type { IndexJob } from '@cairn/domain/metadata/records'
import { parse } from '@cairn/runtime/parse'
import type { Call, Reply } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { findNamespace } from '../find-namespace.ts'
import { waitFor } from '../wait-for.ts'
import { currentOutcomes, documentViews } from './document-states.ts'
import { findUpload } from './find-upload.ts'
import { estimatedEndOf, uploadFields, wallTimesOf } from './upload-view.ts'

const isFinished = ({ finishedAt }: IndexJob): boolean => finishedAt !== null

/** Addition to the published API: the outcome of every document of an upload, with the reason. */
export const getUpload =
  (deps: GatewayPorts) =>
  async (call: Call): Promise<Reply> => {
    const { metadata } = deps
    const { wait } = parse(waitQuery, call.query)
    const namespace = await findNamespace(metadata, call.account.id, call.params['namespace_name'] ?? '')
    const read = () => findUpload(metadata, namespace, call.params['upload_id'] ?? '')
    const job = await waitFor(deps, { seconds: wait, signal: call.signal }, read, isFinished)
    const outcomes = await currentOutcomes(metadata, job)
    const storeTime = await metadata.now()
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
  }
