import type { Job } from '@cairn/domain/jobs/record'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { createMessageRouter, type Handler, type MessageRouterOptions } from '../bus/message-router.ts'
import { createService, type Service } from '../process/lifecycle.ts'
import type { Logger } from '../process/logger.ts'
import { noTracing, type Tracing } from '../tracing/tracing.ts'
import { createJobs, type Jobs, type JobsOptions } from './jobs.ts'

export type JobServiceDeps<J extends Job> = Pick<
  JobsOptions<J>,
  'clock' | 'ids' | 'random' | 'concurrency' | 'observe'
> &
  Pick<MessageRouterOptions, 'countUnreadable'> & {
    /** Default: off. */
    readonly tracing?: Tracing | undefined
    readonly bus: MessageBus
    readonly log: Logger
  }

type JobServiceOptions<J extends Job> = Pick<
  JobsOptions<J>,
  'jobStore' | 'work' | 'fail' | 'needsTakingOver' | 'takeOver'
> & {
  /** Also its consumer group. */
  readonly name: string
  /** They wake the pool. */
  readonly handlers: (jobs: Jobs) => readonly Handler[]
}

/** Creates a pool of leased jobs and the consumer group that wakes it. `jobs` is for health checks and tests. */
export const createJobService = <J extends Job>(
  deps: JobServiceDeps<J>,
  { name, handlers, ...kind }: JobServiceOptions<J>,
): Service & { readonly jobs: Jobs } => {
  const { bus, clock, ids, random, concurrency, observe, tracing = noTracing } = deps
  const log = deps.log.child({ service: name })
  const jobs = createJobs<J>({
    ...kind,
    concurrency,
    clock,
    ids,
    random,
    log,
    traced: { tracing, name },
    ...(observe ? { observe } : {}),
  })
  const router = createMessageRouter({
    bus,
    log,
    group: name,
    handlers: handlers(jobs),
    countUnreadable: deps.countUnreadable,
  })
  const service = createService(async (onStop) => {
    jobs.begin()
    onStop(jobs.stop)
    await router.start()
    // In parallel, because the time to stop is limited.
    onStop(() => Promise.all([router.stop(), jobs.stop()]))
  })
  return { ...service, jobs }
}
