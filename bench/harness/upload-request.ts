import type { Request } from './http-load.ts'

const words =
  'cairn stone path marks hill walker fog ridge trail signal pile summit river moss granite lichen weather compass map bearing valley slope'.split(
    ' ',
  )

/** 1,000 characters of plain words, the same for everybody. */
export const kilobyte: string = Array.from({ length: 400 }, (_, index) => words[(index * 7 + (index >> 3)) % words.length])
  .join(' ')
  .slice(0, 1_000)

const idDigits = 12
const idMark = 'd'.padEnd(idDigits + 1, '#')
let lastId = 0

/** The next id of this process, `d` and twelve digits. */
export const nextId = (): string => {
  lastId += 1
  return `d${String(lastId).padStart(idDigits, '0')}`
}

export type UploadTarget = { readonly apiKey: string; readonly namespace: string }

/** `POST /v1/namespaces/{namespace}/documents` with so many documents of a kilobyte, new ids at each sending. */
export const uploadRequest = ({ apiKey, namespace }: UploadTarget, documents: number): Request => {
  const body = JSON.stringify({
    documents: Array.from({ length: documents }, () => ({ id: idMark, text: kilobyte, source: 'bench' })),
  })
  const head = [
    `POST /v1/namespaces/${namespace}/documents HTTP/1.1`,
    'host: 127.0.0.1',
    `x-api-key: ${apiKey}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
  const places: number[] = []
  for (let at = bytes.indexOf(idMark); at >= 0; at = bytes.indexOf(idMark, at + 1)) places.push(at)
  return {
    bytes,
    refresh: () => {
      for (const place of places) bytes.write(nextId(), place, 'latin1')
    },
  }
}

export const jsonRequest = (method: string, path: string, apiKey: string, body?: unknown): Buffer => {
  const text = body === undefined ? '' : JSON.stringify(body)
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
