import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createService, type RunOptions, runProcess, type Service } from './lifecycle.ts'

describe('createService', () => {
  const createParts = (failAt?: string) => {
    const steps: string[] = []
    const service = createService(async (onStop) => {
      for (const part of ['first', 'second']) {
        steps.push(`start ${part}`)
        await Promise.resolve()
        if (part === failAt) throw new Error(`${part} is broken`)
        onStop(async () => void steps.push(`stop ${part}`))
      }
    })
    return { steps, service }
  }

  it('starts once for concurrent callers and stops in reverse order, once', async () => {
    const { steps, service } = createParts()
    await Promise.all([service.start(), service.start()])
    await service.start()
    await Promise.all([service.stop(), service.stop()])
    await service.stop()
    expect(steps).toEqual(['start first', 'start second', 'stop second', 'stop first'])
  })

  it('undoes a start that failed half-way, and may be started again', async () => {
    const { steps, service } = createParts('second')
    await expect(service.start()).rejects.toThrow('second is broken')
    expect(steps).toEqual(['start first', 'start second', 'stop first'])
    await expect(service.start()).rejects.toThrow('second is broken')
    await service.stop()
    expect(steps).toHaveLength(6)
  })

  it('waits with stop for a start under way, and with start for a stop', async () => {
    const { steps, service } = createParts()
    const started = service.start()
    const stopped = service.stop()
    const again = service.start()
    await Promise.all([started, stopped, again])
    expect(steps).toEqual(['start first', 'start second', 'stop second', 'stop first', 'start first', 'start second'])
  })

  it('undoes the other steps when one can not be undone, and says so', async () => {
    const steps: string[] = []
    const service = createService(async (onStop) => {
      onStop(async () => void steps.push('closed'))
      onStop(() => Promise.reject(new Error('stuck')))
    })
    await service.start()
    await expect(service.stop()).rejects.toThrow('stuck')
    expect(steps).toEqual(['closed'])
  })
})

describe('runProcess', () => {
  const setUp = (
    options: {
      readonly hang?: string
      readonly failStart?: string
      readonly stopWithinMs?: number
      readonly slowStart?: Promise<void>
    } = {},
  ) => {
    const steps: string[] = []
    const lines: string[] = []
    const fatal: unknown[] = []
    const codes: number[] = []
    const emitter = new EventEmitter()
    const line = (_: object | string, message?: string) => void lines.push(message ?? '')
    const run = (names: readonly string[]) => {
      const services = names.map(
        (name): Service => ({
          start: async () => {
            if (name === options.failStart) throw new Error(`${name} is broken`)
            await options.slowStart
            steps.push(`start ${name}`)
          },
          stop: () =>
            name === options.hang ? new Promise(() => {}) : Promise.resolve(void steps.push(`stop ${name}`)),
        }),
      )
      const settings: RunOptions = {
        closeAfter: [
          { close: async () => void steps.push('close bus') },
          { close: async () => void steps.push('close store') },
        ],
        log: { info: line, warn: line, error: line },
        onFatal: (error) => fatal.push(error),
        host: { on: emitter.on.bind(emitter), off: emitter.off.bind(emitter), exit: (code) => void codes.push(code) },
        ...(options.stopWithinMs === undefined ? {} : { stopWithinMs: options.stopWithinMs }),
      }
      return runProcess(services, settings)
    }
    return { steps, lines, fatal, codes, emitter, run }
  }

  it('starts in order; on a signal stops in reverse, closes the stores and ends with 0', async () => {
    const { steps, codes, emitter, run } = setUp()
    await run(['worker', 'gateway'])
    emitter.emit('SIGTERM', 'SIGTERM')
    await expect.poll(() => codes).toEqual([0])
    expect(steps).toEqual(['start worker', 'start gateway', 'stop gateway', 'stop worker', 'close bus', 'close store'])
    expect(emitter.eventNames()).toEqual([])
  })

  it('ends once, however often it is told to', async () => {
    const { steps, codes, run } = setUp()
    const running = await run(['worker'])
    await Promise.all([running.end(), running.end(new Error('late reason'))])
    expect(codes).toEqual([0])
    expect(steps.filter((step) => step === 'stop worker')).toHaveLength(1)
  })

  it('closes the stores and ends with 1 when a service does not stop in time', async () => {
    const { steps, codes, lines, emitter, run } = setUp({ hang: 'worker', stopWithinMs: 100 })
    await run(['first', 'worker', 'gateway'])
    emitter.emit('SIGINT', 'SIGINT')
    await expect.poll(() => codes).toEqual([1])
    expect(steps.slice(-3)).toEqual(['stop gateway', 'close bus', 'close store'])
    expect(lines).toContain('services did not stop in time')
  })

  it('ends at once on a second signal', async () => {
    const { codes, emitter, run } = setUp({ hang: 'worker' })
    await run(['worker'])
    emitter.emit('SIGTERM', 'SIGTERM')
    emitter.emit('SIGTERM', 'SIGTERM')
    expect(codes).toEqual([1])
  })

  it('stops what runs and ends with 1 when a start fails', async () => {
    const { steps, codes, fatal, run } = setUp({ failStart: 'gateway' })
    await run(['worker', 'gateway'])
    expect(codes).toEqual([1])
    expect(fatal).toMatchObject([{ message: 'gateway is broken' }])
    expect(steps).toEqual(['start worker', 'stop gateway', 'stop worker', 'close bus', 'close store'])
  })

  it('starts nothing more once a signal has come', async () => {
    const slow = Promise.withResolvers<void>()
    const { steps, codes, emitter, run } = setUp({ slowStart: slow.promise })
    const running = run(['worker', 'gateway'])
    emitter.emit('SIGTERM', 'SIGTERM')
    slow.resolve()
    await running
    expect(codes).toEqual([0])
    expect(steps).not.toContain('start gateway')
  })

  it.each(['unhandledRejection', 'uncaughtException'])('logs and ends with 1 on %s', async (event) => {
    const { codes, lines, fatal, emitter, run } = setUp()
    await run(['worker'])
    emitter.emit(event, new Error('lost'))
    expect(codes).toEqual([1])
    expect(fatal).toMatchObject([{ message: 'lost' }])
    expect(lines.at(-1)).toMatch(/unhandled rejection|uncaught exception/)
  })

  it('ends with 1 and the reason when the process is found unhealthy', async () => {
    const { codes, fatal, run } = setUp()
    const running = await run(['worker'])
    await running.end(new Error('unhealthy: consumer'))
    expect(codes).toEqual([1])
    expect(fatal).toMatchObject([{ message: 'unhealthy: consumer' }])
  })
})
