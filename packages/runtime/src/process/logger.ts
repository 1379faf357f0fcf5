import { styleText } from 'node:util'
import { destination, type Logger as PinoLogger, pino } from 'pino'

type LogMethod = { (fields: object, message?: string): void; (message: string): void }

/** Removes secrets and users' texts from `fields` by name. */
export type Logger = {
  readonly debug: LogMethod
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
  /** Adds these fields to every line. */
  child(fields: Record<string, unknown>): Logger
}

export type LoggerOptions = {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Name of the process: `gateway`, `standalone`. */
  readonly name: string
  /** For every line, such as the ids of the active span. */
  readonly facts?: (() => object | undefined) | undefined
  /** A readable line instead of JSON, for a terminal. Default: false. */
  readonly pretty?: boolean
  /**
   * Receives lines with their ends. Default: standard output, where one turn of the event loop writes its lines
   * together, the last ones at the exit; only SIGKILL loses those of the current turn.
   */
  readonly write?: (line: string) => void
}

const removed = '[removed]'

const plain = (name: string) => name.replace(/[-_]/g, '').toLowerCase()

/** Compared without case, hyphens and underscores. */
const secretNames = new Set([
  ...'apikey xapikey adminkey xadminkey authorization cookie setcookie secret password token hmac'.split(' '),
  // From vectors, the texts can be guessed.
  ...'text content query document documents body metadata vector vectors passage passages raw answer'.split(' '),
])

/** A count or a flag reveals nothing: `{ documents: 12 }` stays. */
const isHidden = (name: string, value: unknown) =>
  secretNames.has(plain(name)) && typeof value !== 'number' && typeof value !== 'boolean'

/** Inside other text, such as an engine's URL in an error, or a key in a message. */
const secretForms: readonly (readonly [RegExp, string])[] = [
  [/cairn_[A-Za-z0-9]{4,}_[A-Za-z0-9_-]{8,}/g, removed],
  [/\b(Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}/g, `$1 ${removed}`],
  [/\bsk-[A-Za-z0-9_-]{8,}/g, removed],
  [/:\/\/[^/\s:@"]+:[^/\s@"]+@/g, `://${removed}@`],
]

const scrub = (line: string) => secretForms.reduce((text, [form, replacement]) => text.replace(form, replacement), line)

const maxDepth = 6

const redact = (value: unknown, depth = 0): unknown => {
  if (value instanceof Error) return describeError(value, depth)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return '[deep]'
  if (ArrayBuffer.isView(value)) return removed
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  if (value instanceof Date) return value
  return redactFields(value, depth + 1)
}

const redactFields = (fields: object, depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isHidden(name, value) ? removed : redact(value, depth)]),
  )

/** Returns only these fields: drivers put requests and documents into other properties. */
const describeError = (error: Error, depth: number): object => {
  const { name, message, stack, cause } = error
  const code = (error as { readonly code?: unknown }).code
  return {
    name,
    ...(code === undefined ? {} : { code: String(code) }),
    message,
    stack,
    ...(cause === undefined || depth >= maxDepth ? {} : { cause: redact(cause, depth + 1) }),
  }
}

const toText = (value: unknown) => (typeof value === 'string' && !/[\s"=]/.test(value) ? value : JSON.stringify(value))
const colours = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const

/** Formats a line as `12:03:04.567 info  standalone job outcome=done ms=12`. A stack follows on separate lines. */
export const toReadable = (line: string) => {
  const { level, time, name, msg = '', err, ...fields } = JSON.parse(line) as Record<string, unknown>
  const label = String(level)
  const facts = Object.entries(fields).map(([field, value]) => `${field}=${toText(value)}`)
  const error = err as { readonly stack?: string; readonly message?: string } | undefined
  const head = [
    String(time).slice(11, 23),
    styleText(colours[label as keyof typeof colours] ?? 'cyan', label.padEnd(5)),
    name,
    msg,
    ...facts,
  ].join(' ')
  return error ? `${head}\n${error.stack ?? error.message}\n` : `${head}\n`
}

let standardOutput: ((line: string) => void) | undefined

/** Writes the lines of a turn of the event loop together: a write costs as much as all other work on a line. */
const toStandardOutput = () => {
  if (standardOutput) return standardOutput
  const stdout = destination({ fd: 1, sync: true })
  let pending = ''
  const flush = () => {
    if (pending !== '') stdout.write(pending)
    pending = ''
  }
  process.once('exit', flush)
  standardOutput = (line) => {
    if (pending === '') setImmediate(flush)
    pending += line
  }
  return standardOutput
}

// Redacts fields of child loggers: pino's formatter handles the fields of a line but not of a child logger.
const toLogger = (inner: PinoLogger): Logger => ({
  debug: inner.debug.bind(inner),
  info: inner.info.bind(inner),
  warn: inner.warn.bind(inner),
  error: inner.error.bind(inner),
  child: (fields) => toLogger(inner.child(redactFields(fields))),
})

/**
 * Creates a logger. No line holds a key, a secret, a document's text or a vector: fields are removed by name at every
 * depth, and text that looks like a key anywhere.
 */
export const createLogger = ({ level, name, pretty = false, facts, write }: LoggerOptions): Logger => {
  const out = write ?? toStandardOutput()
  const root = pino(
    {
      level,
      base: { name },
      ...(facts ? { mixin: () => facts() ?? {} } : {}),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: (fields) => redactFields(fields) },
      serializers: { err: (error: unknown) => error },
    },
    { write: (line) => out(scrub(pretty ? toReadable(line) : line)) },
  )
  return toLogger(root)
}
