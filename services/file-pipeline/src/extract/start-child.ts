import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ChildRequest } from './serve-extractor.ts'

const here = import.meta.dirname
const pipeline = resolve(here, '../..')
const root = resolve(pipeline, '../..')
/** All that is needed to run our code, and nothing that is beside it: data and settings may be in the same folder. */
const readable = [join(root, 'node_modules'), join(root, 'packages'), pipeline]
const stderrBytes = 4_096

export type Child = {
  readonly process: ChildProcess
  /** What it says, a line each. */
  readonly lines: Readable
  /** The end of what it wrote to its standard error. */
  readonly stderr: () => string
  /** When the process is gone and its pipes are closed; never rejects. */
  readonly gone: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly error?: Error }>
}

type Start = {
  readonly request: ChildRequest
  /** The module it runs. */
  readonly entry: URL
  /** The one folder it may write to. Without symbolic links. */
  readonly scratch: string
  readonly heapMegabytes: number
}

/** Small young generation and one helper thread: half of what a process weighs is otherwise room for speed. */
const argumentsOf = ({ request, entry, scratch, heapMegabytes }: Start): string[] => [
  '--permission',
  ...[...readable, request.path, scratch].map((path) => `--allow-fs-read=${path}`),
  `--allow-fs-write=${scratch}`,
  '--allow-worker',
  '--disallow-code-generation-from-strings',
  '--no-addons',
  '--no-warnings',
  '--expose-gc',
  `--max-old-space-size=${heapMegabytes}`,
  '--max-semi-space-size=4',
  '--v8-pool-size=1',
  '--optimize-for-size',
  `--require=${join(here, 'no-network.cjs')}`,
  fileURLToPath(entry),
  JSON.stringify(request),
]

/** Where the kernel has to end somebody, it should be the child and not a service. */
const offerToKernel = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {}
}

/** Node takes a star in a permitted path for a pattern. */
const mustBePlain = (path: string): void => {
  if (path.includes('*')) throw new Error('a file to be read must have a path without a star')
}

/** A process of our own Node that knows nothing of our settings and can read one file. */
export const startChild = (start: Start): Child => {
  mustBePlain(start.request.path)
  mustBePlain(start.scratch)
  const child = spawn(process.execPath, argumentsOf(start), {
    cwd: start.scratch,
    // Dates are read the same everywhere; temporary files go where they may.
    env: { TZ: 'UTC', TMPDIR: start.scratch, TEMP: start.scratch, MALLOC_ARENA_MAX: '2' },
    // Its standard input has no end until we have: it is how it learns that we are gone.
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let error: Error | undefined
  let stderr = Buffer.alloc(0)
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-stderrBytes)
  })
  child.stdin?.on('error', () => undefined)
  const gone = new Promise<Awaited<Child['gone']>>((done) => {
    child.once('error', (reason) => {
      error = reason
      if (child.pid === undefined) done({ code: null, signal: null, error: reason })
    })
    child.once('close', (code, signal) => done(error ? { code, signal, error } : { code, signal }))
  })
  if (child.pid !== undefined) offerToKernel(child.pid)
  return { process: child, lines: child.stdio[3] as Readable, stderr: () => stderr.toString('utf8'), gone }
}
