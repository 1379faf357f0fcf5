import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { percentile } from './harness/judge.ts'
import { latenciesOf, latencyFigures, sendAll } from './harness/latencies.ts'
import type { Context, Row } from './harness/row.ts'
import { startSubject } from './harness/subject.ts'
import type { EdgeSubjectOptions, Times } from './subjects/edge-store.ts'

const main = join(import.meta.dirname, '..', 'services', 'edge', 'src', 'main.ts')
const dimension = 384
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

/** Starts the store in a separate process on a full file and sends it every query. */
const serve = async (
  file: string,
  rows: number,
  queries: readonly (readonly number[])[],
  { nodeFlags }: Context,
): Promise<readonly number[]> => {
  const env = {
    NODE_ENV: 'production',
    PORT: '0',
    CAIRN_EDGE_DATA: file,
    CAIRN_EDGE_MAX_ITEMS: String(rows),
    PATH: process.env['PATH'] ?? '',
  }
  const cache = process.env['NODE_COMPILE_CACHE']
  const child = spawn(process.execPath, ['--max-semi-space-size=8', ...nodeFlags, main], {
    env: cache === undefined ? env : { ...env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const late = setTimeout(() => child.kill('SIGKILL'), 120_000)
  try {
    const port = await portOf(child.stdout.setEncoding('utf8'))
    const requests = queries.map((query) => searchRequest(port, query))
    await sendAll(port, 1, requests.slice(0, 50))
    return (await sendAll(port, 1, requests)).times
  } finally {
    clearTimeout(late)
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
    await ended
    clearTimeout(kill)
  }
}

export const row: Row = {
  name: 'edge',
  what: 'a full edge store beside a plain comparison of every vector',
  method:
    'Clustered vectors, 10,000 of 384 dimensions, each with a text of 400 characters; 200 queries one after the other, top 10. p50 and p95: the store as a library and the comparison take turns in one process. HTTP p95: of a process with a full file.',
  figures: [
    ...latencyFigures,
    { name: 'recall', unit: 'recall@10', digits: 4 },
    { name: 'HTTP p95', unit: 'ms', digits: 2 },
  ],
  marks: [{ what: 'recall@10', figure: 'recall', sides: ['store'], atLeast: 0.95 }],
  comparisons: [{ what: 'p95, store ÷ comparison', figure: 'p95', sides: ['store', 'comparison'], as: 'ratio' }],
  open: async (context) => {
    const rows = context.quick ? 2_000 : 10_000
    const { directory } = context
    const subject = await startSubject('edge-store', context, {
      directory,
      dimension,
      rows,
    } satisfies EdgeSubjectOptions)
    const measure = async (how: 'search' | 'scan') => {
      const { times, recall } = await subject.ask<Times>(how)
      return { ...latenciesOf(times), recall }
    }
    await subject.ask('fill')
    const queries = await subject.ask<number[][]>('queries')
    const served = join(directory, 'served.db')
    const round = async () => ({
      ...(await measure('search')),
      'HTTP p95': percentile(await serve(served, rows, queries, context), 0.95),
    })
    return {
      sides: [
        { name: 'store', round },
        { name: 'comparison', round: () => measure('scan') },
      ],
      close: subject.close,
    }
  },
}
