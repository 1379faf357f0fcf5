import { AsyncResource } from 'node:async_hooks'
import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable, Transform } from 'node:stream'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { Guard, GuardedRequest } from '@cairn/runtime/http/api-request'
import { createRateWatch } from '@cairn/runtime/http/minimal-rate'
import { announcedBytes, bodyRate, bodyTooSlow, closedEarly, encodingFault } from '@cairn/runtime/http/read-body'
import multer, { type Multer, MulterError, type StorageEngine } from 'multer'
import { type RenamedForm, renameBoundary } from './rename-boundary.ts'

/** `name` is as sent. The bytes end only once the whole form has been found well-formed. */
export type FormFile = {
  readonly name: string
  readonly bytes: Readable
  /** Lower bound of the file's size, from the length of the body. */
  readonly minBytes: number
  /** Returns an array if the field is repeated. Call only once the bytes have ended. */
  field(name: string): unknown
  readonly signal: AbortSignal
}

/** Hashes the name; the caller adds the content. Equal names and contents give equal hashes. */
export const startFileHash = (name: string): Hash => createHash('sha256').update(JSON.stringify(name))

/** Adds the form's other field, once the content has ended. */
export const endFileHash = (hash: Hash, field: FormFile['field']): string => {
  const metadata = field('metadata')
  // No byte of JSON, so that no content can be taken for metadata.
  return (metadata === undefined ? hash : hash.update(`\0${JSON.stringify(metadata)}`)).digest('base64url')
}

/** In addition to the file: boundaries, headers of parts, a few fields. */
const overheadBytes = 64 * 1024
const maxBytes = limits.directFileBytes + overheadBytes

const tooLarge = () =>
  new AppError('tooLarge', 'The file is larger than 10 MB (10,485,760 bytes); request an upload_url for it')
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

/** Limits size and rate, and ends with the connection: multer reads all of a form before it reports an error. */
const measuredBody = (raw: IncomingMessage, form: RenamedForm): Transform => {
  const watch = createRateWatch(bodyRate)
  let received = 0
  const body = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      received += chunk.length
      if (received > maxBytes) done(tooLarge())
      else done(null, form.write(chunk))
    },
    flush: (done) => done(null, form.end()),
  })
  const check = () => {
    // When the store is slow, the client has to wait, and is not too slow itself.
    if (watch.isTooSlow(received) && !body.writableNeedDrain) body.destroy(bodyTooSlow())
    else timer = setTimeout(check, Math.max(1, watch.leftMs()))
  }
  let timer = setTimeout(check, watch.leftMs())
  // The reader gets the error too; without one it must not crash the process.
  body.on('error', () => undefined)
  const closed = () => {
    if (!raw.complete) body.destroy(closedEarly())
  }
  raw.once('close', closed)
  body.once('close', () => {
    clearTimeout(timer)
    raw.off('close', closed).unpipe(body)
  })
  // The client disconnected while a guard was waiting: no event follows.
  if (raw.destroyed) closed()
  raw.pipe(body)
  return body
}

async function* untilWhole(bytes: Readable, whole: Promise<void>): AsyncGenerator<Buffer> {
  // A failing store rejects only after it has removed its bytes. If the file were destroyed before, as by `yield*`, the
  // form would look malformed.
  for await (const chunk of bytes.iterator({ destroyOnReturn: false })) yield chunk as Buffer
  // The bytes could still be half of a form, or belong to a form with a second file.
  await whole
}

/** The parser returns one character per byte: UTF-8, or Latin-1, which some programs still send. */
const fileNameOf = (sent: string): string => {
  const bytes = Buffer.from(sent, 'latin1')
  // A name in the form of RFC 5987 is already decoded.
  return bytes.toString('latin1') === sent && isUtf8(bytes) ? bytes.toString() : sent
}

const parser = (storage: StorageEngine): Multer =>
  multer({
    storage,
    // The parser must not cut names to their last segment: `../../x.txt` would pass the check of names.
    preservePath: true,
    // One character per byte: the encoding is detected from the whole name.
    defParamCharset: 'latin1',
    limits: { fields: 8, fieldSize: 16_384, fieldNameSize: 100, parts: 10, fileSize: limits.directFileBytes },
    // With its own storage, multer would only wait for it at the end of the body.
    streamHandler: (body: Readable, form: NodeJS.WritableStream) => {
      form.once('unpipe', () => body.destroy())
      body.pipe(form)
    },
  } as multer.Options)

/** Passes the file to `store` as it arrives, so that an endpoint can decide early. Resolves to its result. */
export const receiveForm = async <T>(
  request: Pick<GuardedRequest<unknown>, 'raw' | 'setHeader' | 'continueBody'>,
  store: (file: FormFile) => Promise<T>,
): Promise<T> => {
  const { raw } = request
  const renamed = renameBoundary(raw.headers['content-type'] ?? '')
  if (!renamed) {
    request.setHeader('connection', 'close')
    throw invalid('Content-Type must be multipart/form-data with a boundary')
  }
  const body = measuredBody(raw, renamed)
  const whole = Promise.withResolvers<void>()
  const broken = new AbortController()
  const minBytes = Math.max(0, Number(raw.headers['content-length'] ?? 0) - overheadBytes)
  // An event of the connection may pass the file on, outside the request's trace.
  const storeInTrace = AsyncResource.bind(store)
  let stored: Promise<T> | undefined
  /** Later errors are consequences of the first. */
  const fail = (error: unknown) => {
    if (broken.signal.aborted) return
    broken.abort(error)
    whole.reject(error)
    // multer detects the failure only if the body has not ended yet, so nothing waits for multer.
    body.destroy()
  }
  const storage: StorageEngine = {
    _handleFile: (_request, { fieldname, originalname, stream }, done) => {
      if (fieldname !== 'file')
        return done(invalid('The file must be in the field "file" of the form (given: a file in another field)'))
      if (stored) return done(invalid('The form must have exactly one file'))
      const bytes = Readable.from(untilWhole(stream, whole.promise), { objectMode: false })
      const field = (name: string): unknown => form.body?.[name]
      stored = storeInTrace({ name: fileNameOf(originalname), bytes, minBytes, field, signal: broken.signal })
      stored.catch((error: unknown) => {
        fail(error)
        stream.destroy()
      })
      // At once: multer reports errors of the form only after the file is stored, which waits for the form's check.
      return done(null, {})
    },
    _removeFile: (_request, _file, done) => done(null),
  }
  request.continueBody()
  // multer reads only the headers and the stream of a request.
  const headers = { ...raw.headers, 'content-type': renamed.contentType }
  const form = Object.assign(body, { headers }) as unknown as Parameters<ReturnType<Multer['any']>>[0]
  parser(storage).any()(form, undefined as never, (fault: unknown) =>
    fault === undefined ? whole.resolve() : fail(failureOf(fault)),
  )
  try {
    await whole.promise
    if (!stored) throw invalid('file is required: a form with one file in its field "file"')
  } catch (error) {
    // Waiting for the rest of the body would let a slow client keep its connection.
    request.setHeader('connection', 'close')
    body.destroy()
    // The response states that nothing is stored, so it waits until this is true.
    await stored?.catch(() => undefined)
    throw error
  }
  return await stored
}

/** Rejects a body that is no form, or too large, by its headers. */
export const formHeaders: Guard<unknown> = (request) => {
  const { headers } = request.raw
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'multipart/form-data') throw invalid('Content-Type must be multipart/form-data')
  const fault = encodingFault(headers)
  if (fault) throw invalid(fault)
  const announced = announcedBytes(request.raw)
  if (announced === 0) throw invalid('The request body is empty; a form is expected')
  if (announced !== undefined && announced > maxBytes) throw tooLarge()
}
