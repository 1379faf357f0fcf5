import { nearest } from '../vector-index/data.ts'
import type { Request } from './http-load.ts'

const words =
  'cairn stone path marks hill walker fog ridge trail signal pile summit river moss granite lichen weather compass map bearing valley slope'.split(
    ' ',
  )

/** 1,000 characters of plain words, equal for all callers. */
export const kilobyte: string = Array.from(
  { length: 400 },
  (_, index) => words[(index * 7 + (index >> 3)) % words.length],
)
  .join(' ')
  .slice(0, 1_000)

const idDigits = 12
const idMark = 'd'.padEnd(idDigits + 1, '#')
let lastId = 0

/** Returns the next id of this process: `d` and twelve digits. */
export const nextId = (): string => {
  lastId += 1
  return `d${String(lastId).padStart(idDigits, '0')}`
}

export type UploadTarget = { readonly apiKey: string; readonly namespace: string }

const postWithIds = (path: string, apiKey: string, body: object): Request => {
  const bytes = jsonRequest('POST', path, apiKey, body)
  const places: number[] = []
  for (let index = bytes.indexOf(idMark); index >= 0; index = bytes.indexOf(idMark, index + 1)) places.push(index)
  return {
    bytes,
    refresh: () => {
      for (const place of places) bytes.write(nextId(), place, 'latin1')
    },
  }
}

/**
 * Returns `POST /v1/namespaces/{namespace}/documents` with this number of one-kilobyte documents; each sending has new
 * ids.
 */
export const uploadRequest = ({ apiKey, namespace }: UploadTarget, documents: number): Request =>
  postWithIds(`/v1/namespaces/${namespace}/documents`, apiKey, {
    documents: Array.from({ length: documents }, () => ({ id: idMark, text: kilobyte, source: 'bench' })),
  })

/** Returns `POST /v1/search` for the nearest neighbors of a vector in one namespace. */
export const searchRequest = ({ apiKey, namespace }: UploadTarget, vector: Float32Array): Buffer =>
  jsonRequest('POST', '/v1/search', apiKey, { query: Array.from(vector), namespaces: [namespace], top_k: nearest })

/** Returns the ids in the response to `searchRequest`. */
export const idsOfHits = (body: Buffer): readonly string[] =>
  (JSON.parse(body.toString()) as { results: { id: string }[] }).results.map(({ id }) => id)

/** Returns an HTTP/1.1 request to this machine as bytes; `body` is sent as JSON. */
export const requestBytes = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Buffer => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`,
  )
}

export const jsonRequest = (method: string, path: string, apiKey: string, body?: unknown): Buffer =>
  requestBytes(method, path, { 'x-api-key': apiKey }, body)
