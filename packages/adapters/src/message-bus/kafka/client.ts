import { createRequire } from 'node:module'
import { AppError, isAppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import { Kafka, type KafkaConfig, logLevel, type RetryOptions, type SASLOptions } from 'kafkajs'
import { kafkaSockets } from './sockets.ts'

export type KafkaConnection = {
  /** `host:port` of some brokers; the client discovers the others. */
  readonly brokers: readonly string[]
  readonly sasl?:
    | {
        readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
        readonly username: string
        readonly password: string
      }
    | undefined
  /** Enables TLS; all values in PEM. Without `ca`, Node's authorities; `cert` and `key` are this client's. */
  readonly tls?:
    | { readonly ca?: string | undefined; readonly cert?: string | undefined; readonly key?: string | undefined }
    | undefined
}

export type KafkaLog = { warn(fields: object, message: string): void }

/** Every field is set, because kafkajs has other defaults when NODE_ENV is `test`. */
export const kafkaRetry = {
  initialRetryTime: 200,
  multiplier: 2,
  factor: 0.2,
  maxRetryTime: 2_000,
  retries: 5,
} as const satisfies RetryOptions

const connectionTimeoutMs = 3_000

/**
 * After every response kafkajs sets a timer that sets the next one, even if no request waits: an idle connection would
 * wake the process every millisecond forever, and Node warns once of a negative delay. kafkajs sets the timer again
 * when a request is queued, so it is not needed otherwise.
 */
const stopIdleTimer = () => {
  type Queue = { readonly pending: readonly unknown[]; scheduleCheckPendingRequests(): void }
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    readonly prototype: Queue
  }
  const schedule = prototype.scheduleCheckPendingRequests
  prototype.scheduleCheckPendingRequests = function (this: Queue) {
    if (this.pending.length > 0) schedule.call(this)
  }
}
stopIdleTimer()

/** kafkajs reports some normal conditions as errors. */
const isExpected = (message: string, error: unknown) =>
  // The publisher creates a new producer when the retries are used up.
  message.startsWith('Limiting retries for the idempotent producer') ||
  // Already logged as a connection error.
  message.startsWith('Failed to connect to seed broker') ||
  // Reported through `onRebalance`.
  message.startsWith('The group is rebalancing') ||
  (typeof error === 'string' && error.startsWith('The group is rebalancing'))

const suppressMs = 10_000
const maxRemembered = 1_000
const loggedAt = new Map<string, number>()

/** Every connection of every client reports an outage several times a second. */
const wasLoggedRecently = (message: string): boolean => {
  const [kind = ''] = message.split(':')
  const now = performance.now()
  if (now - (loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < suppressMs) return true
  if (loggedAt.size >= maxRemembered) loggedAt.clear()
  loggedAt.set(kind, now)
  return false
}

/** Call it once per producer, consumer and admin: consumers of one client share, and clear, committed offsets. */
export const createKafka = (
  connection: KafkaConnection,
  log: KafkaLog | undefined,
  /** 5 `retries` of a connection take 5 seconds; 3 leave time to report the reason to a caller who waits that long. */
  { requestTimeoutMs, retries }: { readonly requestTimeoutMs: number; readonly retries: number },
): Kafka => {
  const { brokers, sasl, tls } = connection
  const config: KafkaConfig = {
    brokers: [...brokers],
    clientId: 'cairn',
    connectionTimeout: connectionTimeoutMs,
    authenticationTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retry: { ...kafkaRetry, retries },
    socketFactory: kafkaSockets,
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ namespace, log: { timestamp: _, logger, message, stack, correlationId: kafkaRequest, ...fields } }) => {
        if (isExpected(message, fields['error']) || wasLoggedRecently(message)) return
        // kafkajs's `correlationId` is a request number, not our correlation id.
        log?.warn(
          { from: `${logger} ${namespace}`, ...(kafkaRequest === undefined ? {} : { kafkaRequest }), ...fields },
          message,
        )
      },
  }
  if (sasl) config.sasl = { ...sasl } as SASLOptions
  if (tls) config.ssl = Object.fromEntries(Object.entries(tls).filter(([, pem]) => pem !== undefined))
  return new Kafka(config)
}

/** An error of several topics has no reason itself, but one error per topic. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return 'errors' in error && Array.isArray(error.errors) ? error.errors.map(reasonOf).join('; ') : error.message
}

/** AppErrors pass unchanged; any other error becomes `unavailable`. */
export const toKafkaError = (error: unknown): AppError =>
  isAppError(error) ? error : new AppError('unavailable', `Kafka: ${reasonOf(error)}`, { cause: error })

/** Returns the first type in the chain of causes (`UNKNOWN_TOPIC_OR_PARTITION` …). */
export const kafkaErrorType = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return 'type' in error && typeof error.type === 'string' ? error.type : kafkaErrorType(error.cause)
}

/** After `ms`, rejects with AppError `unavailable` and ignores the result. */
export const within = async <T>(
  clock: Clock,
  ms: number,
  what: string,
  work: Promise<T>,
  cause?: () => unknown,
): Promise<T> => {
  const done = new AbortController()
  const late = clock.delay(ms, done.signal).then(() => {
    throw new AppError('unavailable', `Kafka: ${what} took more than ${ms} ms`, { cause: cause?.() })
  })
  try {
    return await Promise.race([work, late])
  } finally {
    // `late` then rejects; the race has already handled that rejection.
    done.abort()
  }
}
