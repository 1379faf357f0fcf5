import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Readable, Transform } from 'node:stream'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { Guard, GuardedRequest } from '@cairn/runtime/api-request'
import { createRateWatch } from '@cairn/runtime/minimal-rate'
import { arrivedTooSlowly, bodyRate, closedEarly } from '@cairn/runtime/read-body'
import multer, { type Multer, MulterError, type StorageEngine } from 'multer'
import { type RenamedForm, renameBoundary } from './rename-boundary.ts'

/** The one file of a form, as its sender names it. The bytes end only once the whole form has proved well-formed. */
export type FormFile = {
  readonly name: string
  readonly bytes: Readable
  /** The file has so many bytes at least, as the length of the body says. */
  readonly leastBytes: number
  readonly signal: AbortSignal
}

/** What a form has besides its file: boundaries, headers of parts, a few fields. */
const overheadBytes = 64 * 1024
const mostBytes = limits.directFileBytes + overheadBytes

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
const measuredBody = (raw: IncomingMessage, form: RenamedForm): Transform => {
  const watch = createRateWatch(bodyRate)
  let received = 0
  const body = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      received += chunk.length
      if (received > mostBytes) done(tooLarge())
      else done(null, form.write(chunk))
    },
    flush: (done) => done(null, form.end()),
  })
  const check = () => {
    // Where the store is slow, its sender waits for us.
    if (watch.isTooSlow(received) && !body.writableNeedDrain) body.destroy(arrivedTooSlowly())
    else timer = setTimeout(check, Math.max(1, watch.leftMs()))
  }
  let timer = setTimeout(check, watch.leftMs())
  // Its reader gets the error as well; without a reader it must not end the process.
  body.on('error', () => undefined)
  const closed = () => {
    if (!raw.complete) body.destroy(closedEarly())
  }
  raw.once('close', closed)
  body.once('close', () => {
    clearTimeout(timer)
    raw.off('close', closed).unpipe(body)
  })
  // Its client may have left while a guard looked something up: no event comes any more.
  if (raw.destroyed) closed()
  raw.pipe(body)
  return body
}

async function* untilWhole(bytes: Readable, whole: Promise<void>): AsyncGenerator<Buffer> {
  // A store that gives up says why when it has removed what it had. Were the file destroyed before that, the form would look broken:
  // so it is left as it is, and not delegated to, which would destroy it for the store's error.
  for await (const chunk of bytes.iterator({ destroyOnReturn: false })) yield chunk as Buffer
  // What came so far could still be half of a form, or one with a second file.
  await whole
}

/** Its bytes, where the parser takes one character for each: UTF-8, or, where they are not, Latin-1, which some programs still send. */
const fileNameOf = (sent: string): string => {
  const bytes = Buffer.from(sent, 'latin1')
  // A name in the form of RFC 5987 has been decoded.
  return bytes.toString('latin1') === sent && isUtf8(bytes) ? bytes.toString() : sent
}

const parser = (storage: StorageEngine): Multer =>
  multer({
    storage,
    // A path is checked as a whole: cut to its last part, `../../x.txt` would pass for a name.
    preservePath: true,
    // One character for each byte: what these say is found out from the whole name.
    defParamCharset: 'latin1',
    limits: { fields: 8, fieldSize: 4_096, fieldNameSize: 100, parts: 10, fileSize: limits.directFileBytes },
    // multer would wait for its storage at the end of the body only.
    streamHandler: (body: Readable, form: NodeJS.WritableStream) => {
      form.once('unpipe', () => body.destroy())
      body.pipe(form)
    },
  } as multer.Options)

/**
 * Reads the form and passes its file to `store` as it comes, so that an endpoint can say where the file goes before it is there. Resolves
 * to what `store` resolves to; keeps nothing of the form.
 */
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
  const leastBytes = Math.max(0, Number(raw.headers['content-length'] ?? 0) - overheadBytes)
  let stored: Promise<T> | undefined
  /** The first reason counts; those that follow follow from it. */
  const fail = (error: unknown) => {
    if (broken.signal.aborted) return
    broken.abort(error)
    whole.reject(error)
    // multer notices it only if the body has not ended yet, so nothing here waits for multer.
    body.destroy()
  }
  const storage: StorageEngine = {
    _handleFile: (_request, { fieldname, originalname, stream }, done) => {
      if (fieldname !== 'file') return done(invalid('The file must be in the field "file" of the form (given: a file in another field)'))
      if (stored) return done(invalid('The form must have exactly one file'))
      const bytes = Readable.from(untilWhole(stream, whole.promise), { objectMode: false })
      stored = store({ name: fileNameOf(originalname), bytes, leastBytes, signal: broken.signal })
      stored.catch((error: unknown) => {
        fail(error)
        stream.destroy()
      })
      // At once: multer reports errors of the form only after the file is stored, and the file is stored only after the form is checked.
      return done(null, {})
    },
    _removeFile: (_request, _file, done) => done(null),
  }
  request.continueBody()
  // Of a request, multer looks at the headers and the stream.
  const headers = { ...raw.headers, 'content-type': renamed.contentType }
  const form = Object.assign(body, { headers }) as unknown as Parameters<ReturnType<Multer['any']>>[0]
  parser(storage).any()(form, undefined as never, (fault: unknown) => (fault === undefined ? whole.resolve() : fail(failureOf(fault))))
  try {
    await whole.promise
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

/** Refuses what can't be a form of an acceptable size, by its headers. */
export const formHeaders: Guard<unknown> = (request) => {
  const { headers } = request.raw
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'multipart/form-data') throw invalid('Content-Type must be multipart/form-data')
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== 'identity') throw invalid('Content-Encoding is not supported; send the body uncompressed')
  const announced = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
  if (announced === 0) throw invalid('The request body is empty; a form is expected')
  if (announced !== undefined && announced > mostBytes) throw tooLarge()
}
