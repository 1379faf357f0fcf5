import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from './harness/judge.ts'
import { sendAll } from './harness/latencies.ts'
import { residentMb } from './harness/resident-memory.ts'
import type { Context, Measured, Row, Side } from './harness/row.ts'
import { type Subject, startSubject } from './harness/subject.ts'
import type { EdgeSubjectOptions, Times } from './subjects/edge-store.ts'

const script = join(import.meta.dirname, 'subjects', 'edge-store.ts')
const main = join(import.meta.dirname, '..', 'services', 'edge', 'src', 'main.ts')
const dimensions = [384, 1_536] as const
const endWithinMs = 15_000

const searchRequest = (port: number, query: readonly number[]): Buffer => {
  const body = JSON.stringify({ query, top_k: 10 })
  return Buffer.from(
    `POST /search HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

const portOf = async (output: AsyncIterable<string>): Promise<number> => {
  let said = ''
  for await (const chunk of output) {
    said += chunk
    const port = /"port":(\d+),"msg":"ready"/.exec(said)?.[1]
    if (port) return Number(port)
  }
  throw new Error(`the edge store has not started: ${said}`)
}

/** The process of the store on a full file: from its start to its first answer, then every query. */
const serve = async (
  file: string,
  rows: number,
  queries: readonly (readonly number[])[],
  { nodeFlags }: Context,
): Promise<Measured> => {
  const env = {
    NODE_ENV: 'production',
    PORT: '0',
    CAIRN_EDGE_DATA: file,
    CAIRN_EDGE_MAX_ITEMS: String(rows),
    PATH: process.env['PATH'] ?? '',
  }
  const cache = process.env['NODE_COMPILE_CACHE']
  const from = performance.now()
  const child = spawn(process.execPath, ['--max-semi-space-size=8', ...nodeFlags, main], {
    env: cache === undefined ? env : { ...env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const late = setTimeout(() => child.kill('SIGKILL'), 120_000)
  try {
    const port = await portOf(child.stdout.setEncoding('utf8'))
    await (await fetch(`http://127.0.0.1:${port}/health`)).arrayBuffer()
    const start = performance.now() - from
    const idle = residentMb(child.pid as number)
    const requests = queries.map((query) => searchRequest(port, query))
    const {
      times: [first = Number.NaN],
    } = await sendAll(port, 1, requests.slice(0, 1))
    await sendAll(port, 1, requests.slice(0, 50))
    const { times } = await sendAll(port, 1, requests)
    return {
      start,
      'first search': first,
      'HTTP p95': percentile(times, 0.95),
      idle,
      memory: residentMb(child.pid as number),
    }
  } finally {
    clearTimeout(late)
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
    await ended
    clearTimeout(kill)
  }
}

/** The comparison of every vector as a process of its own. */
const scanProcess = async (options: EdgeSubjectOptions, context: Context): Promise<Measured> => {
  const from = performance.now()
  const subject = await startSubject(script, context, { ...options, scanOnly: true })
  try {
    await subject.ask('scanOnce')
    return { start: performance.now() - from, memory: residentMb(subject.pid) }
  } finally {
    await subject.close()
  }
}

const figuresOf = ({ times, recall }: Times): Measured => ({
  p50: percentile(times, 0.5),
  p95: percentile(times, 0.95),
  recall,
})

export const row: Row = {
  name: 'edge',
  what: 'a full edge store beside a plain comparison of every vector',
  method:
    'Clustered vectors, 10,000 of 384 and of 1,536 dimensions, each with a text of 400 characters; 200 queries one after the other, top 10. p50 and p95: the store as a library and the comparison take turns in one process. Start (to the first /health; the comparison: to its first answer, from a file of nothing but vectors), first search, HTTP p95 and VmRSS, idle and after the queries: of a process with a full file.',
  pinned: false,
  warmUps: 1,
  figures: [
    { name: 'p50', unit: 'ms', digits: 2 },
    { name: 'p95', unit: 'ms', digits: 2 },
    { name: 'recall', unit: 'recall@10', digits: 4 },
    { name: 'HTTP p95', unit: 'ms', digits: 2 },
    { name: 'start', unit: 'ms', digits: 0 },
    { name: 'first search', unit: 'ms', digits: 0 },
    { name: 'idle', unit: 'MiB resident', digits: 1 },
    { name: 'memory', unit: 'MiB resident', digits: 1 },
  ],
  marks: dimensions.map((dimension) => ({
    what: `recall@10, ${dimension}`,
    figure: 'recall',
    sides: [`store ${dimension}`] as const,
    atLeast: 0.95,
  })),
  comparisons: dimensions.flatMap((dimension) =>
    (['p95', 'memory', 'start'] as const).map((figure) => ({
      what: `${figure}, store ÷ comparison, ${dimension}`,
      figure,
      sides: [`store ${dimension}`, `comparison ${dimension}`] as const,
      as: 'ratio' as const,
    })),
  ),
  open: async (context) => {
    const rows = context.quick ? 2_000 : 10_000
    const subjects: Subject[] = []
    const open = async (dimension: number): Promise<Side[]> => {
      const options: EdgeSubjectOptions = { directory: join(context.directory, String(dimension)), dimension, rows }
      mkdirSync(options.directory)
      const subject = await startSubject(script, context, options)
      subjects.push(subject)
      await subject.ask('fill')
      const queries = await subject.ask<number[][]>('queries')
      const served = join(options.directory, 'served.db')
      return [
        {
          name: `store ${dimension}`,
          round: async () => ({
            ...figuresOf(await subject.ask<Times>('search')),
            ...(await serve(served, rows, queries, context)),
          }),
        },
        {
          name: `comparison ${dimension}`,
          round: async () => ({
            ...figuresOf(await subject.ask<Times>('scan')),
            ...(await scanProcess(options, context)),
          }),
        },
      ]
    }
    const close = async () => {
      for (const subject of subjects) await subject.close()
    }
    try {
      const sides: Side[] = []
      for (const dimension of dimensions) sides.push(...(await open(dimension)))
      return { sides, close }
    } catch (error) {
      await close()
      throw error
    }
  },
}
