import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@cairn/testing/eventually'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../clock/system.ts'
import type { PoolOptions } from './pool.ts'
import { WorkerPool } from './pool.ts'

type Options = Partial<PoolOptions> & { readonly modelDir?: string }

const open = async ({ modelDir = temporaryDirectory(), ...options }: Options = {}) => {
  const failures: string[] = []
  const pool = new WorkerPool({
    name: 'embedder',
    script: new URL('./pool.fixture.ts', import.meta.url),
    workerData: { modelDir },
    workers: 2,
    maxWaiting: 100,
    stuckAfterMs: 60_000,
    clock: systemClock(),
    onFailed: (reason) => failures.push(reason),
    ...options,
  })
  onTestFinished(() => pool.close())
  await pool.start()
  return { pool, failures, modelDir, documents: (...texts: string[]) => pool.run('document', texts) }
}
const lengths = (answers: readonly ArrayLike<number>[]): (number | undefined)[] => answers.map((answer) => answer[0])
const threads = (answers: readonly ArrayLike<number>[]): Set<number | undefined> =>
  new Set(answers.map((answer) => answer[1]))

describe('worker pool', () => {
  it('answers in order whichever thread did the work, and starts a second thread only for work', async () => {
    const { pool, documents } = await open()
    expect(threads(await documents('a')).size).toBe(1)
    const texts = Array.from({ length: 50 }, (_, index) => 'x'.repeat(index))
    expect(lengths(await documents(...texts))).toEqual(texts.map(({ length }) => length))
    await eventually(
      async () => threads((await Promise.all([documents(...texts), pool.run('tokens', texts)])).flat()),
      ({ size }) => size === 2,
    )
  })

  it('gives queries to a thread that is busy with documents', async () => {
    const { pool, documents } = await open({ workers: 1 })
    const stuck = documents('hold', 'hold', 'x')
    expect(lengths(await pool.run('query', ['now']))).toEqual([3])
    expect(lengths(await stuck)).toEqual([4, 4, 1])
  })

  it('serves calls in turns', async () => {
    const { documents } = await open({ workers: 1, maxWaiting: 2_000 })
    const ended: string[] = []
    await Promise.all([
      documents(...Array.from({ length: 1_000 }, () => 'large')).then(() => ended.push('large')),
      documents('small').then(() => ended.push('small')),
    ])
    expect(ended).toEqual(['small', 'large'])
  })

  it.each(['break', 'exit', 'throw'])(
    'loses no text when a thread ends with %s, and goes on with another',
    async (how) => {
      const { documents } = await open()
      const texts = Array.from({ length: 20 }, (_, index) => (index === 7 ? `${how}:once` : `${index}`))
      expect(lengths(await documents(...texts))).toEqual(texts.map(({ length }) => length))
      expect(lengths(await documents('more'))).toEqual([4])
    },
  )

  it.each(['break', 'exit'])('rejects only the call whose text ends every thread with %s', async (how) => {
    const { documents } = await open()
    const others = documents(...Array.from({ length: 30 }, () => 'innocent'))
    await expect(documents('fine', how)).rejects.toMatchObject({ code: 'internal' })
    expect(await others).toHaveLength(30)
  })

  it('replaces a thread that does not answer', async () => {
    const { documents } = await open({ workers: 1, stuckAfterMs: 200 })
    expect(lengths(await documents('a', 'hang:once', 'b'))).toEqual([1, 9, 1])
  })

  it('rejects calls above the limit of waiting texts, but none while nothing waits', async () => {
    const { pool, documents } = await open({ workers: 1, maxWaiting: 10 })
    const many = documents(...Array.from({ length: 50 }, () => 'hold'))
    await expect(documents('one too many')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
    const outcome = many.catch((error: unknown) => error)
    expect(lengths(await pool.run('query', ['still served']))).toEqual([12])
    await pool.close()
    expect(await outcome).toMatchObject({ code: 'unavailable' })
  })

  it('drops the remaining texts of an aborted call', async () => {
    const { pool, documents } = await open({ workers: 1 })
    const controller = new AbortController()
    const given = pool.run(
      'document',
      Array.from({ length: 50 }, () => 'hold'),
      controller.signal,
    )
    const next = documents('next')
    controller.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    await pool.run('query', ['frees what was begun'])
    expect(lengths(await next)).toEqual([4])
  })

  it('rejects with the reason when the first thread can not start', async () => {
    const modelDir = temporaryDirectory()
    writeFileSync(join(modelDir, 'unusable'), '')
    await expect(open({ modelDir })).rejects.toThrow('no such model')
  })

  it('has failed when none of its threads can be started any more', async () => {
    const { documents, modelDir, failures } = await open({ workers: 1 })
    writeFileSync(join(modelDir, 'unusable'), '')
    await expect(documents('exit:once')).rejects.toMatchObject({ code: 'conflict', message: 'no such model' })
    expect(failures).toEqual(['no such model'])
    await expect(documents('x')).rejects.toMatchObject({ code: 'conflict' })
  })

  it('works when a thread starts only at the second attempt', async () => {
    const { documents, modelDir, failures } = await open({ workers: 1 })
    writeFileSync(join(modelDir, 'unusable-once'), '')
    expect(lengths(await documents('exit:once'))).toEqual([9])
    expect(failures).toEqual([])
  })
})
