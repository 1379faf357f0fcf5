import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@cairn/testing/eventually'
import { temporaryDirectory, temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ExtractEvent } from '../block.ts'
import { writePdf } from '../pdf/pdf.fixture.ts'
import { isUnreadable } from '../unreadable.ts'
import { type RunOptions, runExtractor } from './run-extractor.ts'

const entry = new URL('./run-extractor.fixture.ts', import.meta.url)
const onLinux = process.platform === 'linux'

/** Starts a child, in its own scratch folder, with the fault that the file name selects. */
const start = (name: string, options: RunOptions = {}) => {
  const scratch = temporaryDirectory()
  const folder = temporaryDirectory()
  const path = join(folder, name)
  writeFileSync(path, 'content')
  writeFileSync(join(folder, 'beside'), 'secret')
  const events = runExtractor({ type: 'pdf', path, options: {} }, { entry, scratch, ...options })
  return { events, scratch }
}

/**
 * Returns the pids of the processes whose command line names this folder. A zombie has no command line, so `zombies`
 * finds it by its parent.
 */
const processesIn = (folder: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
    } catch {
      return false
    }
  })

const zombies = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        new RegExp(`^\\d+ \\(.*\\) Z ${process.pid} `).test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
      )
    } catch {
      return false
    }
  })

const descriptors = (): number => readdirSync('/proc/self/fd').length

const expectNothingLeft = (scratch: string) => {
  expect(readdirSync(scratch)).toEqual([])
  if (!onLinux) return
  expect(processesIn(scratch)).toEqual([])
  expect(zombies()).toEqual([])
}

/** Resolves to the events, and to the error that ended the iteration, if any. */
const outcome = async (events: AsyncIterable<ExtractEvent>) => {
  const seen: ExtractEvent[] = []
  try {
    for await (const event of events) seen.push(event)
    return { seen, error: undefined }
  } catch (error) {
    return { seen, error: error as Error & { code?: string } }
  }
}

const first: ExtractEvent = { event: 'progress', page: 1 }

describe('a child that reads a file', () => {
  it('passes on all events of the extractor, and leaves no files or processes', async () => {
    const scratch = temporaryDirectory()
    const path = join(temporaryDirectory(), 'sample.pdf')
    writeFileSync(path, writePdf({ pages: [{ lines: ['Read in a process of its own.'] }], title: 'T' }))
    const { seen, error } = await outcome(runExtractor({ type: 'pdf', path, options: { ocr: false } }, { scratch }))
    expect(error).toBeUndefined()
    expect(seen).toEqual([
      { event: 'properties', properties: { title: 'T' } },
      {
        event: 'block',
        block: {
          seq: 0,
          kind: 'text',
          text: 'Read in a process of its own.',
          at: { page: 1 },
          places: expect.any(String),
        },
      },
      { event: 'progress', page: 1, pages: 1 },
    ])
    expectNothingLeft(scratch)
  })

  it('can access its file and a scratch folder, and nothing else', async () => {
    const { events, scratch } = start('look-around.pdf')
    const { seen, error } = await outcome(events)
    expect(error).toBeUndefined()
    expect(seen).toEqual([
      {
        event: 'properties',
        properties: {
          file: 'allowed',
          password: 'ERR_ACCESS_DENIED',
          beside: 'ERR_ACCESS_DENIED',
          scratch: 'allowed',
          write: 'ERR_ACCESS_DENIED',
          net: 'ERR_ACCESS_DENIED',
          http2: 'ERR_ACCESS_DENIED',
          http2Tls: 'ERR_ACCESS_DENIED',
          fetch: 'ERR_ACCESS_DENIED',
          thread: 'ERR_ACCESS_DENIED',
          kill: 'ERR_ACCESS_DENIED',
          eval: expect.stringContaining('Code generation from strings'),
          environment:
            'MALLOC_ARENA_MAX MALLOC_MMAP_THRESHOLD_ MALLOC_TRIM_THRESHOLD_ NODE_COMPILE_CACHE TEMP TMPDIR TZ',
        },
      },
    ])
    expectNothingLeft(scratch)
  })

  it('reads a PDF without its outline if that has too many levels', { timeout: 30_000 }, async () => {
    const levels = 2_000
    const outline = Array.from({ length: levels }, (_, index) => ({
      title: `Level ${index}`,
      page: 1,
      level: index + 1,
    }))
    const path = temporaryFile('deep.pdf')
    writeFileSync(path, writePdf({ pages: [{ lines: ['A text that is read.'] }], outline }))
    const events = await Array.fromAsync(runExtractor({ type: 'pdf', path, options: { ocr: false } }))
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'block', block: expect.objectContaining({ text: 'A text that is read.' }) }),
    )
  })

  it('pauses while its events are not consumed', async () => {
    const { events, scratch } = start('many.pdf')
    let count = 0
    for await (const event of events) {
      expect(event.event).toBe('block')
      count += 1
      if (count > 1) continue
      const [folder = ''] = readdirSync(scratch)
      const written = () => Number(readFileSync(join(scratch, folder, 'written'), 'utf8'))
      // The child has stopped once its position no longer changes.
      let before = -1
      const at = await eventually(
        () => {
          const last = before
          before = written()
          return last
        },
        (last) => last > 0 && last === before,
        { everyMs: 150 },
      )
      expect(at).toBeLessThan(1_000)
    }
    expect(count).toBe(2_000)
  })
})

describe('a child that fails', () => {
  it('is ended when its memory outside of the heap exceeds the limit', async () => {
    let peak = 0
    const { events, scratch } = start('grow.pdf', {
      memoryBytes: 128 * 1024 * 1024,
      onUsed: ({ peakBytes }) => {
        peak = peakBytes
      },
    })
    const { seen, error } = await outcome(events)
    expect(seen).toEqual([first])
    expect(error).toMatchObject({ code: 'too_large_to_process' })
    expect(isUnreadable(error)).toBe(true)
    expect(peak).toBeGreaterThan(64 * 1024 * 1024)
    // The limit is 128 MiB, but the child grows further if a measurement is late; see process-memory.int.test.ts.
    expect(peak).toBeLessThan(300 * 1024 * 1024)
    expectNothingLeft(scratch)
  })

  it('reports too_large_to_process when its heap is full', async () => {
    const { events, scratch } = start('grow-heap.pdf', { memoryBytes: 128 * 1024 * 1024 })
    expect((await outcome(events)).error).toMatchObject({ code: 'too_large_to_process' })
    expectNothingLeft(scratch)
  })

  it('is ended after a time without events', async () => {
    const { events, scratch } = start('hang.pdf', { silenceMs: 3_000 })
    const { seen, error } = await outcome(events)
    expect(seen).toEqual([first])
    expect(error).toMatchObject({ code: 'too_slow_to_process' })
    expectNothingLeft(scratch)
  })

  it('is ended after its total time, even if it sends events', async () => {
    const { events, scratch } = start('slow.pdf', { limitMs: 3_000 })
    const { seen, error } = await outcome(events)
    expect(seen.length).toBeGreaterThan(1)
    expect(error).toMatchObject({ code: 'too_slow_to_process' })
    expectNothingLeft(scratch)
  })

  it('is ended when its consumer takes too long, except for the time the consumer waits for other services', async () => {
    const now = performance.now.bind(performance)
    let consumedMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now() + consumedMs)
    onTestFinished(() => void vi.restoreAllMocks())
    /** Reads events, of which each costs the consumer a minute, up to `most`. */
    const consume = async (options: RunOptions, most: number) => {
      const { events, scratch } = start('slow.pdf', { limitMs: 150_000, ...options })
      let seen = 0
      try {
        for await (const _ of events) {
          seen += 1
          if (seen === most) break
          consumedMs += 60_000
        }
      } finally {
        expectNothingLeft(scratch)
      }
      return seen
    }
    expect(await consume({}, 3)).toBe(3)
    await expect(consume({}, 5)).rejects.toMatchObject({ code: 'too_slow_to_process' })
    const before = consumedMs
    expect(await consume({ pausedMs: () => consumedMs - before }, 10)).toBe(10)
  })

  it('ends together with its parent, even if an orderly exit would hang', async ({ skip }) => {
    skip(!onLinux, 'needs /proc, which Linux has')
    const scratch = temporaryDirectory()
    const path = join(temporaryDirectory(), 'exit-hangs.pdf')
    writeFileSync(path, 'content')
    const request = JSON.stringify({ type: 'pdf', path, options: {} })
    const options = `{ scratch: ${JSON.stringify(scratch)}, entry: new URL(${JSON.stringify(entry.href)}) }`
    const module = JSON.stringify(new URL('./run-extractor.ts', import.meta.url).href)
    const program = `import { runExtractor } from ${module}
for await (const { event } of runExtractor(${request}, ${options})) console.log(event)`
    const asking = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(asking.stdout, 'data')
    expect(processesIn(`allow-fs-write=${scratch}`)).toHaveLength(1)
    asking.kill('SIGKILL')
    await eventually(
      () => processesIn(`allow-fs-write=${scratch}`),
      (left) => left.length === 0,
      { withinMs: 5_000, everyMs: 50 },
    )
  })

  it('has crashed if it exits before the end of the file', async () => {
    const exited = await outcome(start('exit.pdf').events)
    expect(exited.seen).toEqual([first])
    expect(exited.error).toMatchObject({ code: 'parser_crashed', message: expect.stringContaining('exit code 3') })
    expect(exited.error?.cause).toMatchObject({ message: 'the parser gave up' })
    const aborted = await outcome(start('abort.pdf').events)
    expect(aborted.error).toMatchObject({ code: 'parser_crashed', message: expect.stringContaining('SIGABRT') })
  })

  it('has crashed if it sends an invalid event', async () => {
    expect((await outcome(start('nonsense.pdf').events)).error).toMatchObject({ code: 'parser_crashed' })
  })

  it('reports whether the file or the process is the cause', async () => {
    const theirs = await outcome(start('damaged.pdf').events)
    expect(isUnreadable(theirs.error)).toBe(true)
    expect(theirs.error).toMatchObject({ code: 'damaged', message: 'It is damaged.' })
    const ours = await outcome(start('ours.pdf').events)
    expect(isUnreadable(ours.error)).toBe(false)
    expect(ours.error).toMatchObject({ message: 'we made a mistake' })
  })
})

describe('ending a child early', () => {
  it('ends it when the signal is aborted, and does not start it with a signal that was aborted before', async () => {
    const leaving = new AbortController()
    const { events, scratch } = start('hang.pdf', { signal: leaving.signal })
    const steps = events[Symbol.asyncIterator]()
    expect(await steps.next()).toEqual({ done: false, value: first })
    const next = steps.next()
    leaving.abort(new Error('the lease is lost'))
    await expect(next).rejects.toThrow('the lease is lost')
    expectNothingLeft(scratch)
    const never = start('hang.pdf', { signal: leaving.signal })
    expect((await outcome(never.events)).error).toMatchObject({ message: 'the lease is lost' })
    expectNothingLeft(never.scratch)
  })

  it('ends it when the consumer leaves the loop, also during a step', async () => {
    const left = start('slow.pdf')
    for await (const event of left.events) if (event.event === 'progress' && event.page === 3) break
    expectNothingLeft(left.scratch)
    const under = start('hang.pdf')
    const steps = under.events[Symbol.asyncIterator]()
    await steps.next()
    const next = steps.next()
    next.catch(() => undefined)
    await steps.return?.()
    await expect(next).rejects.toThrow('the events are no longer read')
    expectNothingLeft(under.scratch)
  })

  it('leaves no file descriptor open', async () => {
    if (!onLinux) return
    await outcome(start('damaged.pdf').events)
    const before = descriptors()
    for (const name of ['damaged.pdf', 'exit.pdf', 'ours.pdf']) await outcome(start(name).events)
    await eventually(descriptors, (now) => now <= before)
  })
})
