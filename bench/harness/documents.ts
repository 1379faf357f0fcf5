import { setTimeout as pause } from 'node:timers/promises'
import { type ApiAddress, connectApi } from './api-client.ts'
import { kilobyte, nextId, type UploadTarget } from './upload-request.ts'

export type DocumentTarget = UploadTarget & ApiAddress

const batch = 100
const connections = 2
/** Looking costs, too: a look is a request of the process that is measured. */
const pollEveryMs = 50
const timeoutMs = 3_600_000

/** Uploads one document of a kilobyte per id without waiting for the index; resolves to the ids of the uploads. */
export const sendDocuments = async (target: DocumentTarget, ids: readonly string[]): Promise<string[]> => {
  const uploads: string[] = []
  let next = 0
  const send = async () => {
    const api = await connectApi(target)
    try {
      while (next < ids.length) {
        const some = ids.slice(next, next + batch)
        next += batch
        const documents = some.map((id) => ({ id, text: `${id} ${kilobyte}`, source: 'bench' }))
        const path = `/v1/namespaces/${target.namespace}/documents`
        uploads.push((await api.call<{ upload_id: string }>('POST', path, 202, { documents })).upload_id)
      }
    } finally {
      api.close()
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  return uploads
}

/** Until every document of these uploads can be found; one that failed rejects. */
export const untilIndexed = async (
  target: DocumentTarget,
  uploads: readonly string[],
  withinMs = timeoutMs,
): Promise<void> => {
  const api = await connectApi(target)
  const from = performance.now()
  try {
    for (const id of uploads) {
      for (;;) {
        const path = `/v1/namespaces/${target.namespace}/uploads/${id}`
        const { state, counts } = await api.call<{ state: string; counts: { failed: number } }>('GET', path, 200)
        if (state === 'failed' || counts.failed > 0) throw new Error('documents could not be indexed')
        if (state === 'completed') break
        if (performance.now() - from > withinMs) throw new Error('documents were not indexed in time')
        await pause(pollEveryMs)
      }
    }
  } finally {
    api.close()
  }
}

/** Removes documents; what it begins goes on for a while behind the answer. */
export const deleteDocuments = async (target: DocumentTarget, ids: readonly string[]): Promise<void> => {
  const api = await connectApi(target)
  try {
    await api.call('POST', `/v1/namespaces/${target.namespace}/documents/delete`, 200, { ids })
  } finally {
    api.close()
  }
}

export const newIds = (count: number): string[] => Array.from({ length: count }, nextId)
