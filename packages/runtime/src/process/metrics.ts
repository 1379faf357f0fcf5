import { performance } from 'node:perf_hooks'
import type { DueCount } from '@cairn/domain/jobs/jobs'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Far above the number in use: more would be a bug, which must not fill memory. */
const labelValues = 200

/** Lets the first `limit` distinct values through; further ones become `other`. */
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
/** Around the default limit of 256 MiB. */
const readingBytes = [64, 96, 128, 160, 192, 224, 256, 320, 512, 1_024, 4_096].map((mebibytes) => mebibytes * mebibyte)
const stageSeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]

const stores = ['metadata', 'vectors', 'bus', 'files', 'embedder', 'answerer'] as const
const jobOutcomes = ['done', 'again', 'failed', 'lost'] as const

const creatorsOf = (registry: Registry) => {
  const registers = [registry]
  return {
    counter: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: <L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
    /** Reads the value at each scrape. */
    readGauge: (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      }),
  }
}

type Creators = ReturnType<typeof creatorsOf>

/** Uses Prometheus's standard names. prom-client's own collector runs every 10 ms, which costs too much. */
const addProcessMetrics = (registry: Registry) => {
  const { readGauge } = creatorsOf(registry)
  readGauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss())
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used since the start, user and system',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1_000_000)
    },
  })
  readGauge(
    'cairn_process_event_loop_active_seconds',
    'Time since the start in which the event loop had something to do',
    () => performance.eventLoopUtilization().active / 1_000,
  )
}

const requestMetrics = ({ counter, histogram }: Creators) => {
  const requests = counter('cairn_http_requests_total', 'Answered requests', 'route', 'method', 'status')
  const requestTimes = histogram(
    'cairn_http_request_duration_seconds',
    'Time from request to the end of its answer',
    requestSeconds,
    'route',
    'method',
  )
  const routeLabel = limitValues(labelValues)
  return {
    /** `route`: its pattern (`/v1/namespaces/{namespace_name}`) or `unmatched`, never the path. */
    request: (answered: {
      readonly route: string
      readonly method: string
      readonly status: number
      readonly seconds: number
    }): void => {
      const { route, method, status, seconds } = answered
      const labels = { route: routeLabel(route), method: methods.has(method) ? method : 'other' }
      requests.inc({ ...labels, status })
      requestTimes.observe(labels, seconds)
    },
  }
}

const jobMetrics = ({ counter, histogram }: Creators) => {
  const stages = histogram('cairn_stage_seconds', 'Time of one step of a job', stageSeconds, 'service', 'stage')
  const jobs = counter('cairn_jobs_total', 'Runs of jobs', 'service', 'outcome')
  const stageLabel = limitValues(labelValues)
  const stage = (service: string, name: string, seconds: number) =>
    stages.observe({ service, stage: stageLabel(name) }, seconds)
  return {
    stage,
    observe: (service: string) => {
      for (const outcome of jobOutcomes) jobs.inc({ service, outcome }, 0)
      return {
        job: (outcome: (typeof jobOutcomes)[number]): void => jobs.inc({ service, outcome }),
        stage: (name: string, seconds: number): void => stage(service, name, seconds),
      }
    },
  }
}

const busMetrics = ({ counter }: Creators) => {
  const unreadable = counter('cairn_unreadable_messages_total', 'Messages that the group could not read', 'group')
  const rebalances = counter(
    'cairn_bus_rebalances_total',
    'How often the members of a group shared its partitions anew, as this process saw it',
    'group',
  )
  const groupLabel = limitValues(labelValues)
  return {
    /** Starts each series at 0: Prometheus's `increase` does not count the first value of a series. */
    group: (name: string): void => {
      const group = groupLabel(name)
      unreadable.inc({ group }, 0)
      rebalances.inc({ group }, 0)
    },
    unreadableMessage: (group: string): void => unreadable.inc({ group: groupLabel(group) }),
    rebalance: (group: string): void => rebalances.inc({ group: groupLabel(group) }),
  }
}

const storeMetrics = ({ counter, gauge }: Creators) => {
  const storeFailures = counter(
    'cairn_store_failures_total',
    'Calls of a store, the bus or a model that it, or we, failed',
    'store',
    'reason',
  )
  for (const store of stores) for (const reason of ['unavailable', 'internal']) storeFailures.inc({ store, reason }, 0)
  const orphanedObjects = gauge(
    'cairn_orphaned_objects',
    'Objects of the store that the database knows nothing of, as the last sweep has found them',
  )
  const orphanedBytes = gauge('cairn_orphaned_bytes', 'Bytes of the orphaned objects')
  return {
    /** Counts a call that failed because of the engine or a bug. */
    storeFailed: (store: (typeof stores)[number], reason: 'unavailable' | 'internal'): void =>
      storeFailures.inc({ store, reason }),
    /** Records what the last sweep found. */
    orphans: ({ objects, bytes }: { readonly objects: number; readonly bytes: number }): void => {
      orphanedObjects.set(objects)
      orphanedBytes.set(bytes)
    },
  }
}

const readingMetrics = ({ gauge, histogram }: Creators) => {
  const readingTimes = histogram(
    'cairn_file_reading_seconds',
    'How long the process that reads one file was waited for',
    stageSeconds,
    'type',
  )
  const readingMemory = histogram(
    'cairn_file_reading_memory_bytes',
    'The most resident memory the process that reads one file had',
    readingBytes,
    'type',
  )
  const largestReading = gauge('cairn_file_reading_memory_peak_bytes', 'The most of all files since the start', 'type')
  const longestReading = gauge('cairn_file_reading_longest_seconds', 'The longest of all files since the start', 'type')
  const typeLabel = limitValues(labelValues)
  const extremes = new Map<string, { readonly seconds: number; readonly peakBytes: number }>()
  return {
    /** Records one run of the process that reads a file, complete or not. */
    reading: (value: string, { ms, peakBytes }: { readonly ms: number; readonly peakBytes: number }): void => {
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
  }
}

/** Creates the metrics whose values are read at each scrape. */
const queueMetrics = ({ gauge }: Creators) => {
  const queues = new Map<string, () => Promise<DueCount>>()
  const pools = new Map<string, () => number>()
  const dueJobs = gauge('cairn_due_jobs', 'Jobs of the service that wait to be started, 1,000 at most', 'service')
  const oldestDue = gauge('cairn_due_jobs_oldest_seconds', 'How long the oldest of them has been due', 'service')
  const freeSlots = gauge('cairn_job_slots_free', 'Jobs the service could run beside those that run', 'service')

  /** Omits a store that does not answer: the other metrics must be served, especially during an outage. */
  const readQueue = async (service: string, due: () => Promise<DueCount>) => {
    const found = await due().catch(() => undefined)
    if (!found) return [dueJobs, oldestDue].forEach((values) => void values.remove({ service }))
    dueJobs.set({ service }, found.jobs)
    oldestDue.set({ service }, found.oldestMs / 1_000)
  }

  return {
    /** Jobs that wait to be started. */
    dueJobs: (service: string, due: () => Promise<DueCount>): void => void queues.set(service, due),
    /** Jobs that the service could run in addition. */
    freeSlots: (service: string, free: () => number): void => void pools.set(service, free),
    readAll: async (): Promise<void> => {
      for (const [service, free] of pools) freeSlots.set({ service }, free())
      await Promise.all([...queues].map(([service, due]) => readQueue(service, due)))
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** Creates metrics with fixed names, and labels of bounded cardinality. */
export const createMetrics = () => {
  const registry = new Registry()
  addProcessMetrics(registry)
  const creators = creatorsOf(registry)
  const { readAll, ...queues } = queueMetrics(creators)
  return {
    ...requestMetrics(creators),
    ...jobMetrics(creators),
    ...busMetrics(creators),
    ...storeMetrics(creators),
    ...readingMetrics(creators),
    ...queues,
    /** In Prometheus's text format. */
    scrape: async (): Promise<{ readonly contentType: string; readonly body: string }> => {
      await readAll()
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
}
