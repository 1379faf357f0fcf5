import type { IncomingMessage } from 'node:http'
import { Readable, Transform } from 'node:stream'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { Guard, GuardedRequest } from '@cairn/runtime/api-request'
import multer, { type Multer, MulterError, type StorageEngine } from 'multer'

/** The one file of a form, as its sender names it. The bytes end only once the whole form has proved well-formed. */
export type FormFile = { readonly name: string; readonly bytes: Readable; readonly signal: AbortSignal }

/** Reads the form and hands on its file as it comes; resolves to what `store` does. Nothing of it is kept. */
export type ReceiveFile = <T>(store: (file: FormFile) => Promise<T>) => Promise<T>

/** What a form has besides its file: boundaries, headers of parts, a few fields. */
const overheadBytes = 64 * 1024
const mostBytes = limits.directFileBytes + overheadBytes
const graceMs = 15_000
const minBytesPerSecond = 4_096

const tooLarge = () => new AppError('tooLarge', 'The file is larger than 10 MB (10,485,760 bytes); ask for an upload_url to upload it to')
const invalid = (message: string) => new AppError('invalid', message)

const texts: Partial<Record<string, string>> = {
  LIMIT_PART_COUNT: 'The form has too many parts',
  LIMIT_FIELD_COUNT: 'The form has too many fields',
  LIMIT_FIELD_KEY: 'The name of a field of the form is too long',
  LIMIT_FIELD_VALUE: 'A field of the form is too long',
}

const failureOf = (error: unknown): unknown => {
  if (isAppError(error)) return error
  if (!(error instanceof MulterError))
    return new AppError('invalid', 'The request body is not a well-formed multipart/form-data form', { cause: error })
  if (error.code === 'LIMIT_FILE_SIZE') return tooLarge()
  return new AppError('invalid', texts[error.code] ?? 'The form is not well-formed', { cause: error })
}

/**
 * The body as it is read: held to its size and to a minimum rate, and ended when its sender goes away. It stands between the connection
 * and multer, which reads away the rest of what it refuses, however long that is, before it says so.
 */
const measuredBody = (raw: IncomingMessage): Transform => {
  const startedAt = performance.now()
  let received = 0
  const body = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      received += chunk.length
      if (received > mostBytes) done(tooLarge())
      else done(null, chunk)
    },
  })
  const check = () => {
    const leftMs = startedAt + graceMs + (received / minBytesPerSecond) * 1_000 - performance.now()
    if (leftMs <= 0) body.destroy(invalid('The request body arrived too slowly'))
    else timer = setTimeout(check, leftMs)
  }
  let timer = setTimeout(check, graceMs)
  // Whoever reads it hears of its end as well; where nobody does any more, it must not be the end of the process.
  body.on('error', () => undefined)
  const closed = () => {
    if (!raw.complete) body.destroy(invalid('The connection was closed before the request body was complete'))
  }
  raw.once('close', closed)
  body.once('close', () => {
    clearTimeout(timer)
    raw.off('close', closed).unpipe(body)
  })
  raw.pipe(body)
  return body
}

async function* untilWhole(bytes: Readable, whole: Promise<void>): AsyncGenerator<Buffer> {
  yield* bytes
  // What came so far could still be half of a form, or one with a second file.
  await whole
}

const parser = (storage: StorageEngine): Multer =>
  multer({
    storage,
    // A path is checked as a whole: cut to its last part, `../../x.txt` would pass for a name.
    preservePath: true,
    defParamCharset: 'utf8',
    limits: { fields: 8, fieldSize: 4_096, fieldNameSize: 100, parts: 10, fileSize: limits.directFileBytes },
    // multer would wait for its storage at the end of the body only.
    streamHandler: (body: Readable, form: NodeJS.WritableStream) => {
      form.once('unpipe', () => body.destroy())
      body.pipe(form)
    },
  } as multer.Options)

const receiveFrom =
  (request: GuardedRequest<unknown>): ReceiveFile =>
  async (store) => {
    const { raw } = request
    const body = measuredBody(raw)
    const whole = Promise.withResolvers<void>()
    const broken = new AbortController()
    let stored: ReturnType<typeof store> | undefined
    /** The first reason counts; those that follow follow from it. */
    const fail = (error: unknown) => {
      if (broken.signal.aborted) return
      broken.abort(error)
      whole.reject(error)
      // multer hears of it only if the body has not ended yet, so nothing here waits for what it says.
      body.destroy()
    }
    const storage: StorageEngine = {
      _handleFile: (_request, { fieldname, originalname, stream }, done) => {
        if (fieldname !== 'file') return done(invalid('The file must be in the field "file" of the form (given: a file in another field)'))
        if (stored) return done(invalid('The form must have exactly one file'))
        const bytes = Readable.from(untilWhole(stream, whole.promise), { objectMode: false })
        stored = store({ name: originalname, bytes, signal: broken.signal })
        stored.catch((error: unknown) => {
          fail(error)
          stream.destroy()
        })
        // At once: multer holds back its verdict on the form until what it stores is there, and here that waits for the verdict.
        return done(null, {})
      },
      _removeFile: (_request, _file, done) => done(null),
    }
    request.continueBody()
    // Of a request, multer looks at the headers and the stream.
    const form = Object.assign(body, { headers: raw.headers }) as unknown as Parameters<ReturnType<Multer['any']>>[0]
    parser(storage).any()(form, undefined as never, (fault: unknown) => (fault === undefined ? whole.resolve() : fail(failureOf(fault))))
    try {
      await whole.promise
      // multer takes no notice of a body whose type it can't read.
      if (!body.readableEnded) throw invalid('Content-Type must be multipart/form-data with a boundary')
      if (!stored) throw invalid('file is required: a form with one file in its field "file"')
    } catch (error) {
      // What still comes is no request, and waiting for it would let a slow client keep its connection.
      request.setHeader('connection', 'close')
      body.destroy()
      // The answer says that nothing is kept, so it waits until that is so.
      await stored?.catch(() => undefined)
      throw error
    }
    return await stored
  }

/** Sets `body` to what reads the form, so that the endpoint can say where its file goes before it comes. */
export const formBody = (): Guard<unknown> => (request) => {
  const { headers } = request.raw
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'multipart/form-data') throw invalid('Content-Type must be multipart/form-data')
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== 'identity') throw invalid('Content-Encoding is not supported; send the body uncompressed')
  const announced = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
  if (announced === 0) throw invalid('The request body is empty; a form is expected')
  if (announced !== undefined && announced > mostBytes) throw tooLarge()
  request.body = receiveFrom(request)
}
