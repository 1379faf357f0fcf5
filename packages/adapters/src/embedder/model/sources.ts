import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { sha256Of } from '@cairn/domain/sha256-of'
import { type Entry, open as openZip, type ZipFile } from 'yauzl'
import { type ModelFile, type ModelSource, missingFiles, modelFiles } from './local-models.ts'

/** `progress` is 0 to 1 if known. */
export type Report = (progress: { readonly detail: string; readonly progress?: number }) => void

export type SourceOptions = {
  readonly hubUrl: string
  readonly mavenUrl: string
  /** Longest time until a response begins. */
  readonly connectMs: number
  /** Longest pause within a response. */
  readonly stallMs: number
}

/** Fetches a model's files into a folder. Rejects unless each file has the recorded SHA-256. */
export type Source = (
  options: SourceOptions,
  model: ModelSource,
  into: string,
  report: Report,
  signal: AbortSignal,
) => Promise<void>

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : String(cause)
}

/** Rejects when the server is unreachable, refuses, or stalls. */
const download = async (
  { connectMs, stallMs }: SourceOptions,
  address: string,
  to: string,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  const { host } = new URL(address)
  const stalled = new AbortController()
  let begun = false
  const stop = () =>
    stalled.abort(
      new Error(begun ? `${host} sent nothing for ${stallMs} ms` : `${host} did not answer within ${connectMs} ms`),
    )
  let timer = setTimeout(stop, connectMs)
  const ends = AbortSignal.any([signal, stalled.signal])
  try {
    // The declared size of a compressed response would differ from the bytes counted.
    const response = await fetch(address, { signal: ends, headers: { 'accept-encoding': 'identity' } })
    if (!response.ok) throw new Error(`${response.status} for ${address}`)
    begun = true
    const total = Number(response.headers.get('content-length') ?? 0)
    let received = 0
    const count = new Transform({
      transform: (chunk: Uint8Array, _encoding, done) => {
        clearTimeout(timer)
        timer = setTimeout(stop, stallMs)
        received += chunk.byteLength
        const share = total > 0 ? { progress: received / total } : {}
        report({ detail: `fetching ${address} (${megabytes(received)} of ${megabytes(total)} MB)`, ...share })
        done(null, chunk)
      },
    })
    await mkdir(dirname(to), { recursive: true })
    await pipeline(Readable.from(response.body ?? []), count, createWriteStream(to), { signal: ends })
  } catch (error) {
    signal.throwIfAborted()
    if (stalled.signal.aborted) throw stalled.signal.reason
    throw error instanceof TypeError
      ? new Error(`${host} can't be reached (${codeOf(error)})`, { cause: error })
      : error
  } finally {
    clearTimeout(timer)
  }
}

const verify = async (model: ModelSource, file: ModelFile, path: string): Promise<void> => {
  const sha256 = await sha256Of(path)
  if (sha256 !== model.files[file])
    throw new Error(`${file} is not the file recorded for ${model.name} (its SHA-256 is ${sha256})`)
}

export const isIntact = async (model: ModelSource, dir: string): Promise<boolean> => {
  if (missingFiles(dir).length > 0) return false
  for (const file of modelFiles) if ((await sha256Of(join(dir, file))) !== model.files[file]) return false
  return true
}

/** Written from the hub's documentation and tested against a local server only. */
export const fromHub =
  ({ repository, revision }: ModelSource['hub']): Source =>
  async (options, model, into, report, signal) => {
    for (const file of modelFiles) {
      await download(
        options,
        `${options.hubUrl}/${repository}/resolve/${revision}/${file}`,
        join(into, file),
        report,
        signal,
      )
      await verify(model, file, join(into, file))
    }
  }

const openJar = promisify<string, { lazyEntries: true }, ZipFile>(openZip)

const extract = async (jar: string, targets: ReadonlyMap<string, string>): Promise<void> => {
  const zip = await openJar(jar, { lazyEntries: true })
  const openEntry = promisify<Entry, Readable>(zip.openReadStream.bind(zip))
  await new Promise<void>((resolve, reject) => {
    zip.once('error', reject).once('end', resolve)
    zip.on('entry', (entry: Entry) => {
      const to = targets.get(entry.fileName)
      if (to === undefined) return zip.readEntry()
      const write = async () => {
        await mkdir(dirname(to), { recursive: true })
        await pipeline(await openEntry(entry), createWriteStream(to))
      }
      write().then(() => zip.readEntry(), reject)
    })
    zip.readEntry()
  })
}

/** Reads the jar of LangChain4j's embedding models; needs no Java. */
export const fromMaven =
  ({ artifact, version, entries }: NonNullable<ModelSource['maven']>): Source =>
  async (options, model, into, report, signal) => {
    const jar = join(into, 'model.jar')
    const repository = options.mavenUrl.replace(/\/+$/, '')
    await download(
      options,
      `${repository}/dev/langchain4j/${artifact}/${version}/${artifact}-${version}.jar`,
      jar,
      report,
      signal,
    )
    await extract(jar, new Map(modelFiles.map((file) => [entries[file], join(into, file)])))
    for (const file of modelFiles) await verify(model, file, join(into, file))
    await rm(jar)
  }
