import { performance } from 'node:perf_hooks'
import type { Metadata } from '@cairn/domain/metadata'
import type { DueCount } from '@cairn/domain/metadata/jobs'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  /**
   * Counts one answered request. `route` is the route's pattern (`/v1/namespaces/:name`) or `unmatched`, never the
   * path.
   */
  request(of: {
    readonly route: string
    readonly method: string
    readonly status: number
    readonly seconds: number
  }): void
  /** Sets the counters of a consumer group to 0. */
  group(name: string): void
  /** Registers the jobs that wait to be started, read at each scrape. */
  dueJobs(service: string, due: () => Promise<DueCount>): void
  /** Registers how many more jobs the service could run, read at each scrape. */
  freeSlots(service: string, free: () => number): void
  /** Counts a rebalance of the group's partitions. */
  rebalance(group: string): void
  /** Returns what a pool of jobs reports to. */
  observe(service: string): {
    job(outcome: 'done' | 'again' | 'failed' | 'lost'): void
    stage(name: string, seconds: number): void
  }
  stage(service: string, stage: string, seconds: number): void
  /** Counts a call of a port that failed by its engine or by a bug. */
  storeFailed(store: (typeof stores)[number], reason: 'unavailable' | 'internal'): void
  /** Records one run of the process that reads a file of this type, complete or not. */
  reading(type: string, used: { readonly ms: number; readonly peakBytes: number }): void
  /** Records the orphaned objects that the last sweep found. */
  orphans(found: { readonly objects: number; readonly bytes: number }): void
  /** Returns the store with inserted letters counted. */
  countDeadLetters<S extends Pick<Metadata['deadLetters'], 'insert'>>(store: S): S
  /** Returns the metrics in Prometheus's text format, with its content type. */
  scrape(): Promise<{ readonly contentType: string; readonly body: string }>
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Cap on distinct values of a label, far above what the code uses: more would be a mistake, and must not fill memory. */
const labelValues = 200

/** Returns a function that lets the first `limit` distinct values through; further ones become `other`. */
const limitValues = (limit: number) => {
  const passed = new Set<string>()
  return (value: string) => {
    if (passed.has(value)) return value
    if (passed.size >= limit) return 'other'
    passed.add(value)
    return value
  }
}

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const mebibyte = 1024 * 1024
/** Around the default limit, 256 MiB. */
const readingBytes = [64, 96, 128, 160, 192, 224, 256, 320, 512, 1_024, 4_096].map((mebibytes) => mebibytes * mebibyte)
const stageSeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]

/**
 * Read at each scrape. prom-client's own process metrics run a timer every 10 ms, which costs more than they are worth.
 */
const addProcessMetrics = (registry: Registry) => {
  const registers = [registry]
  const cpuSeconds = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000_000
  }
  const memory = (name: string, help: string) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(process.memoryUsage.rss())
      },
    })
  }
  memory('process_resident_memory_bytes', 'Resident memory')
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used since the start, user and system',
    registers,
    collect() {
      this.reset()
      this.inc(cpuSeconds())
    },
  })
  // Names of 0.1.0, served for one release.
  memory('cairn_process_resident_memory_bytes', 'Deprecated: process_resident_memory_bytes')
  new Gauge({
    name: 'cairn_process_cpu_seconds',
    help: 'Deprecated: process_cpu_seconds_total',
    registers,
    collect() {
      this.set(cpuSeconds())
    },
  })
  new Gauge({
    name: 'cairn_process_event_loop_active_seconds',
    help: 'Time since the start in which the event loop had something to do',
    registers,
    collect() {
      this.set(performance.eventLoopUtilization().active / 1_000)
    },
  })
}

const stores = ['metadata', 'vectors', 'bus', 'files', 'embedder', 'answerer'] as const
const jobOutcomes = ['done', 'again', 'failed', 'lost'] as const

/** Creates the metrics of one process: fixed names, labels of bounded cardinality. */
export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'cairn_http_requests_total',
    help: 'Answered requests',
    labelNames: ['route', 'method', 'status'] as const,
    registers,
  })
  const requestTimes = new Histogram({
    name: 'cairn_http_request_duration_seconds',
    help: 'Time from request to the end of its answer',
    labelNames: ['route', 'method'] as const,
    buckets: requestSeconds,
    registers,
  })
  const stages = new Histogram({
    name: 'cairn_stage_seconds',
    help: 'Time of one step of a job',
    labelNames: ['service', 'stage'] as const,
    buckets: stageSeconds,
    registers,
  })
  const jobs = new Counter({
    name: 'cairn_jobs_total',
    help: 'Runs of jobs',
    labelNames: ['service', 'outcome'] as const,
    registers,
  })
  const letters = new Counter({
    name: 'cairn_dead_letters_total',
    help: 'Dead-lettered messages',
    labelNames: ['group'] as const,
    registers,
  })
  const storeFailures = new Counter({
    name: 'cairn_store_failures_total',
    help: 'Calls of a store, the bus or a model that it, or we, failed',
    labelNames: ['store', 'reason'] as const,
    registers,
  })
  for (const store of stores) for (const reason of ['unavailable', 'internal']) storeFailures.inc({ store, reason }, 0)
  const rebalances = new Counter({
    name: 'cairn_bus_rebalances_total',
    help: 'How often the members of a group shared its partitions anew, as this process saw it',
    labelNames: ['group'] as const,
    registers,
  })
  const readings = { labelNames: ['type'] as const, registers }
  const readingTimes = new Histogram({
    name: 'cairn_file_reading_seconds',
    help: 'How long the process that reads one file was waited for',
    buckets: stageSeconds,
    ...readings,
  })
  const readingMemory = new Histogram({
    name: 'cairn_file_reading_memory_bytes',
    help: 'The most resident memory the process that reads one file had',
    buckets: readingBytes,
    ...readings,
  })
  const largestReading = new Gauge({
    name: 'cairn_file_reading_memory_peak_bytes',
    help: 'The most of all files since the start',
    ...readings,
  })
  const longestReading = new Gauge({
    name: 'cairn_file_reading_longest_seconds',
    help: 'The longest of all files since the start',
    ...readings,
  })
  const queues = new Map<string, () => Promise<DueCount>>()
  const dueGauge = (name: string, help: string, label: 'service' | 'group', read: (due: DueCount) => number) => {
    const gauge = new Gauge({ name, help, labelNames: [label], registers })
    return (service: string, due: DueCount | undefined) =>
      due ? gauge.set({ [label]: service }, read(due)) : gauge.remove({ [label]: service })
  }
  const [jobsOf, secondsOf] = [({ jobs: due }: DueCount) => due, ({ oldestMs }: DueCount) => oldestMs / 1_000]
  const dueGauges = [
    dueGauge('cairn_due_jobs', 'Jobs of the service that wait to be started, 1,000 at most', 'service', jobsOf),
    dueGauge('cairn_due_jobs_oldest_seconds', 'How long the oldest of them has been due', 'service', secondsOf),
    // Names of 0.1.0, served for one release.
    dueGauge('cairn_queue_messages', 'Deprecated: cairn_due_jobs', 'group', jobsOf),
    dueGauge('cairn_queue_oldest_age_seconds', 'Deprecated: cairn_due_jobs_oldest_seconds', 'group', secondsOf),
  ]
  const orphanedObjects = new Gauge({
    name: 'cairn_orphaned_objects',
    help: 'Objects of the store that the database knows nothing of, as the last sweep has found them',
    registers,
  })
  const orphanedBytes = new Gauge({ name: 'cairn_orphaned_bytes', help: 'Bytes of the orphaned objects', registers })
  const pools = new Map<string, () => number>()
  new Gauge({
    name: 'cairn_job_slots_free',
    help: 'Jobs the service could run beside those that run',
    labelNames: ['service'] as const,
    registers,
    collect() {
      for (const [service, free] of pools) this.set({ service }, free())
    },
  })
  addProcessMetrics(registry)

  const routeLabel = limitValues(labelValues)
  const groupLabel = limitValues(labelValues)
  /** Starts each series at 0: Prometheus's `increase` does not count the first value of a series. */
  const begin = (group: string) => {
    letters.inc({ group }, 0)
    rebalances.inc({ group }, 0)
  }
  const stageLabel = limitValues(labelValues)
  const typeLabel = limitValues(labelValues)
  const extremes = new Map<string, { readonly seconds: number; readonly peakBytes: number }>()

  const stage = (service: string, name: string, seconds: number) =>
    stages.observe({ service, stage: stageLabel(name) }, seconds)

  /** A store that does not answer leaves out its figures; the others must be served, especially then. */
  const readQueue = async (service: string, due: () => Promise<DueCount>) => {
    const found = await due().catch(() => undefined)
    for (const set of dueGauges) set(service, found)
  }

  return {
    request: ({ route, method, status, seconds }) => {
      const labels = { route: routeLabel(route), method: methods.has(method) ? method : 'other' }
      requests.inc({ ...labels, status })
      requestTimes.observe(labels, seconds)
    },
    group: (name) => begin(groupLabel(name)),
    dueJobs: (service, due) => void queues.set(groupLabel(service), due),
    freeSlots: (service, free) => void pools.set(service, free),
    rebalance: (group) => rebalances.inc({ group: groupLabel(group) }),
    observe: (service) => {
      for (const outcome of jobOutcomes) jobs.inc({ service, outcome }, 0)
      return {
        job: (outcome) => jobs.inc({ service, outcome }),
        stage: (name, seconds) => stage(service, name, seconds),
      }
    },
    stage,
    storeFailed: (store, reason) => storeFailures.inc({ store, reason }),
    reading: (value, { ms, peakBytes }) => {
      const type = typeLabel(value)
      readingTimes.observe({ type }, ms / 1_000)
      readingMemory.observe({ type }, peakBytes)
      const before = extremes.get(type)
      const max = {
        seconds: Math.max(before?.seconds ?? 0, ms / 1_000),
        peakBytes: Math.max(before?.peakBytes ?? 0, peakBytes),
      }
      extremes.set(type, max)
      longestReading.set({ type }, max.seconds)
      largestReading.set({ type }, max.peakBytes)
    },
    orphans: ({ objects, bytes }) => {
      orphanedObjects.set(objects)
      orphanedBytes.set(bytes)
    },
    countDeadLetters: (store) => ({
      ...store,
      insert: async (letter) => {
        await store.insert(letter)
        letters.inc({ group: groupLabel(letter.group) })
      },
    }),
    scrape: async () => {
      await Promise.all([...queues].map(([service, due]) => readQueue(service, due)))
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
}
