import { expect, it } from 'vitest'
import { describeFault, type Fault, labelOf, scheduleOf } from './schedule.ts'

const processes = ['gateway-1', 'gateway-2', 'namespace', 'ingestion-1', 'ingestion-2', 'deletion']
const seeds = Array.from({ length: 200 }, (_, seed) => seed)
const run = (seed: number, ms = 90_000) => scheduleOf({ seed, ms, processes })

it('is the same for the same seed and another for another', () => {
  expect(run(7)).toEqual(run(7))
  expect(run(7)).not.toEqual(run(8))
})

it('begins no fault after the end and has undone every one by then', () => {
  for (const ms of [30_000, 90_000, 600_000]) {
    for (const { at, until } of seeds.slice(0, 50).flatMap((seed) => run(seed, ms))) {
      expect(at).toBeGreaterThan(0)
      expect(until).toBeGreaterThanOrEqual(at)
      expect(until).toBeLessThanOrEqual(ms)
    }
  }
})

it('never kills the metadata stand-in', () => {
  const faults = seeds.flatMap((seed) => run(seed)).map(({ fault }) => fault)
  expect(faults.filter((fault) => fault.kind === 'kill engine' && (fault.engine as string) === 'mongodb')).toEqual([])
})

it('has every kind of fault in three runs of a minute and a half', () => {
  const kinds = new Set([1, 2, 3].flatMap((seed) => run(seed)).map(({ fault }) => fault.kind))
  expect([...kinds].sort()).toEqual([
    'forge messages',
    'freeze',
    'kill',
    'kill all',
    'kill engine',
    'link',
    'lose points',
    'orderly restart',
    'pause engine',
    'rebalance',
    'repeat messages',
    'restart engine',
    'rewind',
    'rubbish',
  ])
})

it('troubles no process and no engine twice at a time', () => {
  const holds = (fault: Fault): readonly string[] => {
    if ('process' in fault) return [fault.process]
    if ('engine' in fault) return [fault.engine]
    return fault.kind === 'kill all' ? fault.order : []
  }
  for (const seed of seeds) {
    const free = new Map<string, number>()
    for (const { at, until, fault } of run(seed)) {
      for (const what of holds(fault)) {
        expect(free.get(what) ?? 0, `seed ${seed}: ${what}`).toBeLessThan(at)
        free.set(what, until)
      }
    }
  }
})

it('keeps all processes down at once, and starts each of them again', () => {
  const [all] = seeds.flatMap((seed) => run(seed)).flatMap(({ fault }) => (fault.kind === 'kill all' ? [fault] : []))
  expect([...(all?.order ?? [])].sort()).toEqual([...processes].sort())
})

it('describes each fault in a line of its own', () => {
  const kill: Fault = { kind: 'kill', process: 'ingestion-1', downMs: 1_236 }
  expect(`${labelOf(kill)}: ${describeFault(kill)}`).toBe('kill: kill ingestion-1, down 1236 ms')
  const described = new Set(
    seeds.flatMap((seed) => run(seed)).map(({ fault }) => `${labelOf(fault)}: ${describeFault(fault)}`),
  )
  for (const line of described) expect(line).not.toMatch(/undefined|\[object/)
})
