import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HubSource, Report } from './model-files.ts'

export type HubOptions = {
  readonly url: string
  readonly source: HubSource
  /** An answer must begin within this. */
  readonly connectMs: number
  /** And go on at least this often. */
  readonly stallMs: number
}

/** What the hub states about a file: SHA-256 of one it keeps as a large file, else git's own SHA-1 of it. */
type Stated = { readonly path: string; readonly sizeBytes: number; readonly sha256: string | undefined; readonly gitSha1: string }

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

/**
 * Fetches a model's files into a folder. Each must have the size and the sum the hub itself states for the commit, and the sum recorded
 * here. This way was written from the hub's documentation and tried against a local server only: the hub could not be reached.
 */
export const fetchFromHub = async (options: HubOptions, into: string, report: Report, signal: AbortSignal): Promise<void> => {
  const { source } = options
  report({ detail: `asking ${new URL(options.url).host} for ${source.repository}` })
  const stated = await readTree(options, signal)
  const files = Object.keys(source.files).map((path) => {
    const file = stated.find((one) => one.path === path)
    if (file === undefined) throw new Error(`the hub has no ${path} in ${source.repository}@${source.revision}`)
    return file
  })
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let doneBytes = 0
  for (const file of files) {
    const before = doneBytes
    await fetchFile(options, file, join(into, file.path), signal, (bytes) => {
      doneBytes = before + bytes
      report({ detail: `fetching ${file.path} (${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB)`, progress: doneBytes / totalBytes })
    })
  }
}

const readTree = async ({ url, source, connectMs }: HubOptions, signal: AbortSignal): Promise<Stated[]> => {
  const { repository, revision } = source
  const address = `${url}/api/models/${repository}/tree/${revision}?recursive=true`
  const response = await open(address, AbortSignal.any([signal, AbortSignal.timeout(connectMs)]), connectMs)
  const entries: unknown = await response.json()
  if (!Array.isArray(entries)) throw new Error(`${address} is no list of files`)
  return entries.flatMap((entry) => {
    const { type, path, size, oid, lfs } = entry as {
      type?: unknown
      path?: unknown
      size?: unknown
      oid?: unknown
      lfs?: { oid?: unknown }
    }
    if (type !== 'file' || typeof path !== 'string' || typeof size !== 'number' || typeof oid !== 'string') return []
    const large = typeof lfs?.oid === 'string' ? lfs.oid.replace(/^sha256:/, '') : undefined
    return [{ path, sizeBytes: size, sha256: large, gitSha1: oid }]
  })
}

const open = async (address: string, signal: AbortSignal, withinMs: number): Promise<Response> => {
  const response = await fetch(address, { signal }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new Error(`${new URL(address).host} did not answer within ${withinMs} ms`)
    throw new Error(`${new URL(address).host} can't be reached (${codeOf(error)})`, { cause: error })
  })
  if (!response.ok) throw new Error(`${response.status} for ${address}`)
  return response
}

const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : String(cause)
}

const fetchFile = async (
  options: HubOptions,
  file: Stated,
  to: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): Promise<void> => {
  const { url, source, connectMs, stallMs } = options
  const quiet = new AbortController()
  const stop = () => quiet.abort(new DOMException('nothing came', 'TimeoutError'))
  let timer = setTimeout(stop, connectMs)
  const ends = AbortSignal.any([signal, quiet.signal])
  try {
    const response = await open(`${url}/${source.repository}/resolve/${source.revision}/${file.path}`, ends, connectMs)
    const sha256 = createHash('sha256')
    const gitSha1 = createHash('sha1').update(`blob ${file.sizeBytes}\0`)
    let sizeBytes = 0
    const count = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        clearTimeout(timer)
        timer = setTimeout(stop, stallMs)
        sizeBytes += chunk.byteLength
        if (sizeBytes > file.sizeBytes) break
        sha256.update(chunk)
        gitSha1.update(chunk)
        progress(sizeBytes)
        yield chunk
      }
    }
    await mkdir(dirname(to), { recursive: true })
    await pipeline(Readable.from(response.body ?? []), count, createWriteStream(to), { signal: ends }).catch((error: unknown) => {
      throw quiet.signal.aborted ? new Error(`${file.path}: nothing came for ${stallMs} ms`) : error
    })
    verify(file, { sizeBytes, sha256: sha256.digest('hex'), gitSha1: gitSha1.digest('hex') }, source.files[file.path])
  } finally {
    clearTimeout(timer)
  }
}

const verify = (
  file: Stated,
  got: { readonly sizeBytes: number; readonly sha256: string; readonly gitSha1: string },
  recorded: string | undefined,
): void => {
  if (got.sizeBytes !== file.sizeBytes) throw new Error(`${file.path}: not the ${file.sizeBytes} bytes the hub states came`)
  const asStated = file.sha256 === undefined ? got.gitSha1 === file.gitSha1 : got.sha256 === file.sha256
  if (!asStated) throw new Error(`${file.path}: what came is not what the hub states (sha256 ${got.sha256})`)
  if (got.sha256 !== recorded) throw new Error(`${file.path}: not the file recorded for this commit (sha256 ${got.sha256})`)
}
