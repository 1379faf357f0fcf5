import { readFileSync, writeFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Extractor } from '../block.ts'
import { unreadable } from '../unreadable.ts'
import { serveExtractor } from './serve-extractor.ts'

const why = (act: () => unknown): string => {
  try {
    act()
    return 'allowed'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

/** Extractors that simulate faults of a child, by file name. */
const wrongs: Readonly<Record<string, Extractor>> = {
  async *'grow.pdf'() {
    yield { event: 'progress', page: 1 }
    const held: Buffer[] = []
    for (;;) {
      held.push(Buffer.alloc(8 * 1024 * 1024, 1))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  },
  async *'grow-heap.pdf'() {
    yield { event: 'progress', page: 1 }
    const held: object[] = []
    for (;;) held.push({ at: held.length, more: [held.length] })
  },
  async *'hang.pdf'() {
    yield { event: 'progress', page: 1 }
    for (;;) {}
  },
  async *'slow.pdf'() {
    for (let page = 1; ; page += 1) {
      yield { event: 'progress', page }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  },
  async *'exit-hangs.pdf'() {
    process.on('exit', () => {
      for (;;) {}
    })
    for (let page = 1; ; page += 1) {
      yield { event: 'progress', page }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  },
  async *'exit.pdf'() {
    yield { event: 'progress', page: 1 }
    process.stderr.write('the parser gave up')
    process.exit(3)
  },
  async *'abort.pdf'() {
    yield { event: 'progress', page: 1 }
    process.abort()
  },
  async *'damaged.pdf'() {
    yield { event: 'progress', page: 1 }
    throw unreadable('damaged', 'It is damaged.')
  },
  async *'ours.pdf'() {
    yield { event: 'progress', page: 1 }
    throw new Error('we made a mistake')
  },
  async *'nonsense.pdf'() {
    yield { event: 'block', block: { seq: -1, kind: 'text', text: 'x', at: {} } }
  },
  async *'many.pdf'() {
    for (let seq = 0; seq < 2_000; seq += 1) {
      writeFileSync('written', String(seq))
      yield { event: 'block', block: { seq, kind: 'text', text: 'x'.repeat(2_000), at: {} } }
    }
  },
  async *'look-around.pdf'(path) {
    const tries = {
      file: why(() => readFileSync(path)),
      password: why(() => readFileSync('/etc/passwd')),
      beside: why(() => readFileSync(join(path, '..', 'beside'))),
      scratch: why(() => writeFileSync('here', 'x')),
      write: why(() => writeFileSync(path, 'x')),
      net: why(() => connect(9, '127.0.0.1')),
      http2: why(() => connectHttp2('http://127.0.0.1:9/')),
      http2Tls: why(() => connectHttp2('https://127.0.0.1:9/')),
      fetch: why(() => fetch('http://127.0.0.1:9/')),
      thread: why(() => new Worker('require("node:fs")', { eval: true, execArgv: [] })),
      kill: why(() => process.kill(process.ppid, 0)),
      eval: why(() => new Function('return 1')()),
      // biome-ignore lint/style/noProcessEnv: the test checks which variables the child gets
      environment: Object.keys(process.env).sort().join(' '),
    }
    yield { event: 'properties', properties: tries }
  },
}

await serveExtractor(
  () =>
    async function* (path, options) {
      const wrong = wrongs[basename(path)]
      if (!wrong) throw new Error('there is no such wrong')
      yield* wrong(path, options)
    },
)
