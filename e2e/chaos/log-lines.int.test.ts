import { expect, it } from 'vitest'
import { endingOf, faultIn, unreadableAt } from './log-lines.ts'

const line = (fields: object): string => JSON.stringify({ name: 'ingestion', ...fields })

it('minds errors, and not what engines that are away lead to', () => {
  expect(faultIn(line({ level: 'warn', msg: 'sweep failed', err: { message: 'unavailable' } }))).toBeUndefined()
  expect(faultIn(line({ level: 'info', msg: 'job', outcome: 'again' }))).toBeUndefined()
  expect(faultIn(line({ level: 'error', msg: 'message unreadable', reason: 'unknown type' }))).toBeUndefined()
  expect(faultIn(line({ level: 'error', msg: 'job', err: { message: 'no such field' } }))).toBe('job: no such field')
  expect(faultIn(line({ level: 'error', msg: 'unhandled rejection', err: { stack: 'Error: x\n at y' } }))).toBe(
    'unhandled rejection: Error: x\n at y',
  )
})

it('finds the positions of unreadable messages', () => {
  const position = { topic: 'cairn.uploads', partition: 2, offset: '17' }
  expect(unreadableAt(line({ level: 'error', msg: 'message unreadable', ...position }))).toBe('cairn.uploads/2/17')
  expect(unreadableAt(line({ level: 'warn', msg: 'message handler failed', ...position }))).toBeUndefined()
})

it('minds what a program says when it breaks, and no other plain text', () => {
  expect(faultIn('(node:12) MaxListenersExceededWarning: Possible EventEmitter memory leak detected')).toContain(
    'MaxListeners',
  )
  expect(faultIn('ended with SIGKILL, started again in 500 ms')).toBeUndefined()
})

it('hears why a process ends by itself', () => {
  expect(endingOf(line({ level: 'error', msg: 'process ends', err: { message: 'unhealthy: leases' } }))).toBe(
    'unhealthy: leases',
  )
  expect(faultIn(line({ level: 'error', msg: 'process ends', err: { message: 'unhealthy: leases' } }))).toBeUndefined()
  expect(endingOf(line({ level: 'info', msg: 'stopped' }))).toBeUndefined()
})
