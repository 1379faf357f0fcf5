import { setTimeout as pause } from 'node:timers/promises'
import { connectTo } from './http-load.ts'
import { percentile } from './judge.ts'
import type { Figure, Measured } from './row.ts'
import { jsonRequest, kilobyte, nextId, type UploadTarget } from './upload-request.ts'

const idleMs = 20
const searchableWithinMs = 30_000

export const loneDocumentFigures: readonly Figure[] = [
  { name: 'p50', unit: 'ms', digits: 1 },
  { name: 'p95', unit: 'ms', digits: 1 },
  { name: 'accepted p95', unit: 'ms to the 202', digits: 1 },
]

/** Uploads documents one at a time and measures the time from each 202 until a search finds the document. */
export const measureLoneDocuments = async (
  { port, apiKey, namespace }: UploadTarget & { readonly port: number },
  documents: number,
): Promise<Measured> => {
  const connection = await connectTo(port)
  const find = async (id: string): Promise<boolean> => {
    const query = { namespaces: [namespace], query: `how is a path marked #number:${id}`, top_k: 1 }
    const { status, body } = await connection.send(jsonRequest('POST', '/v1/search', apiKey, query))
    if (status !== 200) throw new Error(`searching answered ${status}: ${body}`)
    const { results } = JSON.parse(body.toString()) as { readonly results: readonly { readonly id: string }[] }
    return results[0]?.id === id
  }
  const accepted: number[] = []
  const searchable: number[] = []
  const one = async (): Promise<void> => {
    await pause(idleMs)
    const id = nextId()
    const upload = { documents: [{ id, text: `${id} ${kilobyte}`, number: id }] }
    const sentAt = performance.now()
    const { status, body } = await connection.send(
      jsonRequest('POST', `/v1/namespaces/${namespace}/documents`, apiKey, upload),
    )
    const acceptedAt = performance.now()
    if (status !== 202) throw new Error(`uploading answered ${status}: ${body}`)
    while (!(await find(id))) {
      if (performance.now() - acceptedAt > searchableWithinMs) throw new Error(`${id} has not become searchable`)
    }
    accepted.push(acceptedAt - sentAt)
    searchable.push(performance.now() - acceptedAt)
  }
  try {
    while (searchable.length < documents) await one()
  } finally {
    connection.close()
  }
  return {
    p50: percentile(searchable, 0.5),
    p95: percentile(searchable, 0.95),
    'accepted p95': percentile(accepted, 0.95),
  }
}
