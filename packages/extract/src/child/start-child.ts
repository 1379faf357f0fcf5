import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ChildRequest } from './serve-extractor.ts'

const here = import.meta.dirname
const pipeline = resolve(here, '../..')
const root = resolve(pipeline, '../..')
/** All the code that the child runs. Sibling folders are excluded: they may hold data and settings. */
const readable = [join(root, 'node_modules'), join(root, 'packages'), pipeline]
const stderrBytes = 4_096

export type Child = {
  readonly process: ChildProcess
  readonly lines: Readable
  readonly stderr: () => string
  /** Resolves when the process is gone and its pipes are closed; never rejects. */
  readonly ended: Promise<{
    readonly code: number | null
    readonly signal: NodeJS.Signals | null
    readonly error?: Error
  }>
}

type Start = {
  readonly request: ChildRequest
  readonly entry: URL
  /** The only writable folder; a path without symbolic links. */
  readonly scratch: string
  readonly heapMegabytes: number
}

/** A small young generation and one helper thread halve the memory, at the cost of speed. */
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

/** Makes glibc return memory to the system: by default it keeps freed memory below a threshold of up to 32 MB. */
const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

const offerToKernel = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {}
}

/** Node would treat a star in a permitted path as a pattern. */
const mustBePlain = (path: string): void => {
  if (path.includes('*')) throw new Error('a file to be read must have a path without a star')
}

/** Starts a Node process that gets none of this process's settings and can read one file besides its code. */
export const startChild = (start: Start): Child => {
  mustBePlain(start.request.path)
  mustBePlain(start.scratch)
  const child = spawn(process.execPath, argumentsOf(start), {
    cwd: start.scratch,
    // The time zone makes dates independent of the host.
    env: { TZ: 'UTC', TMPDIR: start.scratch, TEMP: start.scratch, NODE_COMPILE_CACHE: start.scratch, ...malloc },
    // Closes when this process ends, which tells the child to end.
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let error: Error | undefined
  let stderr = Buffer.alloc(0)
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-stderrBytes)
  })
  child.stdin?.on('error', () => undefined)
  const ended = new Promise<Awaited<Child['ended']>>((done) => {
    child.once('error', (reason) => {
      error = reason
      if (child.pid === undefined) done({ code: null, signal: null, error: reason })
    })
    child.once('close', (code, signal) => done(error ? { code, signal, error } : { code, signal }))
  })
  if (child.pid !== undefined) offerToKernel(child.pid)
  return { process: child, lines: child.stdio[3] as Readable, stderr: () => stderr.toString('utf8'), ended }
}
