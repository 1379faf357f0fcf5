import { operations } from '@cairn/contracts/api/operations'
import type { FileType } from '@cairn/contracts/files/file-rules'
import { limits } from '@cairn/contracts/limits'
import { isReady } from '../../scripts/cluster/cluster.ts'
import { createClient } from '../client.ts'
import type { Standalone } from '../target.ts'
import { type Brought, bringer } from './bring.ts'
import type { Canaries } from './canaries.ts'
import { build, type Case, casesOf, commandOf, nameOf } from './cases.ts'
import { expectedOf } from './expected.ts'
import { endFault } from './judge.ts'
import type { MalformedOptions } from './options.ts'
import { type Reading, readLog } from './readings.ts'

/** Limits of the child process that reads one file. */
const maxBytes = 256 * 1024 ** 2
const maxMs = 60_000
/** Time that a killed reader takes to exit. */
const endingMs = 1_000
/** Files in flight; the service reads two at once. */
const inFlight = 12

export type Ended = {
  readonly case: Case
  /** Failure code, or `completed`. */
  readonly outcome: string
  readonly seconds: number
  /** Undefined if the file was rejected without being read. */
  readonly reading: Reading | undefined
}

export type Finding = { readonly what: string; readonly command?: string }

export type TypeRun = {
  readonly type: FileType
  readonly ended: readonly Ended[]
  readonly findings: readonly Finding[]
  readonly seconds: number
}

type One = { readonly one: Case; readonly brought?: Brought; readonly fault?: string }

const readingFaults = (reading: Reading | undefined): string[] => {
  if (!reading) return []
  const { ms, peakBytes } = reading
  return [
    ...(peakBytes > maxBytes ? [`its reader had ${(peakBytes / 1024 ** 2).toFixed(1)} MiB`] : []),
    ...(ms > maxMs + endingMs ? [`its reader took ${(ms / 1_000).toFixed(1)} s`] : []),
  ]
}

/** Returns the service's metric of the largest memory use of a reader. */
const largestIn = async ({ metricsUrls }: Standalone, type: FileType): Promise<number | undefined> => {
  const texts = await Promise.all(
    metricsUrls.map(async (url) => (await fetch(url, { signal: AbortSignal.timeout(10_000) })).text()),
  )
  const found = new RegExp(`^cairn_file_reading_memory_peak_bytes\\{type="${type}"\\} (\\d+)`, 'm').exec(
    texts.join('\n'),
  )?.[1]
  return found === undefined ? undefined : Number(found)
}

/**
 * Uploads malformed files of one type to a running service, then checks outcomes, logs, metrics and canaries. Stops
 * uploading when the service is no longer ready.
 */
export const runType = async (
  target: Standalone,
  canaries: Canaries,
  type: FileType,
  options: Pick<MalformedOptions, 'count' | 'seed' | 'kind'>,
  report: (done: number, finding?: Finding) => void = () => undefined,
): Promise<TypeRun> => {
  const from = performance.now()
  const api = createClient(target.url, { 'x-api-key': target.apiKey })
  const namespace = `malformed-${type}-${options.seed}`
  await api.call(operations.createNamespace, { body: { namespace_name: namespace, type: 'text' } }, 201)
  const files = bringer(api, namespace)
  const queue = casesOf(type, options).values()
  const all: One[] = []

  const bringOne = async (one: Case): Promise<One> => {
    try {
      const { bytes, truth } = await build(one, canaries)
      const way = one.seed % 2 === 0 && bytes.length <= limits.directFileBytes ? 'form' : 'address'
      const brought = await files.bring(nameOf(one), bytes, way)
      const fault = endFault(brought, expectedOf(one), truth)
      return fault === undefined ? { one, brought } : { one, brought, fault }
    } catch (error) {
      return { one, fault: error instanceof Error ? error.message : String(error) }
    }
  }
  const worker = async () => {
    for (const one of queue) {
      const done = await bringOne(one)
      all.push(done)
      report(all.length, done.fault === undefined ? undefined : { what: done.fault, command: commandOf(one) })
      if (done.fault !== undefined && !(await isReady(target.url))) return
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))

  const findings: Finding[] = []
  if (!(await isReady(target.url))) findings.push({ what: `the service is not ready after ${all.length} files` })
  else {
    const leaked = await files.find(canaries.secret)
    findings.push(...leaked.map((id) => ({ what: `what stands in the canary file was found in ${id}` })))
  }
  const said = await largestIn(target, type).catch(() => undefined)
  if (canaries.connections() > 0)
    findings.push({ what: `the canary address was called ${canaries.connections()} times` })
  const { readings, errors } = readLog(target.logs())
  findings.push(...errors.map((line) => ({ what: `an error in the log: ${line}` })))
  const ended = all.map(({ one, brought }): Ended => {
    const outcome = brought?.state === 'completed' ? 'completed' : (brought?.reason ?? 'unknown')
    return { case: one, outcome, seconds: brought?.seconds ?? 0, reading: readings.get(brought?.requestId ?? '') }
  })
  const largest = Math.max(0, ...ended.map(({ reading }) => reading?.peakBytes ?? 0))
  if (largest > 0 && said !== largest)
    findings.push({ what: `the metrics say that the largest had ${said} bytes, the log ${largest}` })
  for (const { case: one, reading } of ended)
    findings.push(...readingFaults(reading).map((what) => ({ what, command: commandOf(one) })))
  for (const { one, brought, fault } of all)
    if (fault !== undefined)
      findings.push({ what: [fault, brought?.message].filter(Boolean).join(' '), command: commandOf(one) })
  return { type, ended, findings, seconds: (performance.now() - from) / 1_000 }
}
