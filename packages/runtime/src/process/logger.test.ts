import { AppError } from '@cairn/contracts/errors'
import { expect, it } from 'vitest'
import { createLogger, type LoggerOptions } from './logger.ts'

const collect = (options: Partial<LoggerOptions> = {}) => {
  const lines: string[] = []
  const log = createLogger({ level: 'debug', name: 'gateway', write: (line) => void lines.push(line), ...options })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

const key = 'cairn_k7f3a9_Zx81mQw0pLrT5vBn'

it('writes one JSON line with level, time, name and message', () => {
  const { log, lines, last } = collect()
  log.child({ correlationId: 'request-1' }).info({ outcome: 'done', ms: 12 }, 'job')
  expect(lines).toHaveLength(1)
  expect(lines[0]?.endsWith('\n')).toBe(true)
  expect(last()).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    name: 'gateway',
    correlationId: 'request-1',
    outcome: 'done',
    ms: 12,
    msg: 'job',
  })
})

it('leaves out what is below its level', () => {
  const { log, lines } = collect({ level: 'warn' })
  log.info('no')
  log.warn('yes')
  expect(lines).toHaveLength(1)
})

it('removes secrets and texts by name, at every depth and in children, and keeps counts', () => {
  const { log, lines, last } = collect()
  log.child({ api_key: 'hush' }).info({
    headers: { 'X-API-Key': 'hush', authorization: 'hush', host: 'here' },
    items: [{ id: 'a', text: 'hush', metadata: { a: 'hush' } }],
    documents: 3,
  })
  expect(last()).toMatchObject({ headers: { host: 'here' }, items: [{ id: 'a', text: '[removed]' }], documents: 3 })
  expect(lines.join('')).not.toContain('hush')
})

it('removes vectors, whatever they are called', () => {
  const { log, last } = collect()
  log.info({ vector: [0.1, 0.2], point: new Float32Array([1, 2]) })
  expect(last()).toMatchObject({ vector: '[removed]', point: '[removed]' })
})

it('removes keys and passwords that stand inside other text', () => {
  const { log, lines } = collect()
  log.warn(
    {
      err: new Error(`refused: mongodb://app:s3cret@db:27017 with Bearer abcdefghijkl and ${key}`),
      note: 'sk-abcdefgh1234',
    },
    `key ${key} is odd`,
  )
  expect(lines.join('')).not.toMatch(/s3cret|abcdefgh|Zx81mQw0pLrT5vBn/)
  expect(lines.join('')).toContain('mongodb://[removed]@db:27017')
})

it('writes an error with its causes and without its other properties', () => {
  const { log, last } = collect()
  const cause = Object.assign(new Error('socket'), { code: 'ECONNRESET', request: { documents: ['hush'] } })
  log.error({ err: new AppError('unavailable', 'no answer', { cause, body: { details: 'hush' } }) }, 'failed')
  const { err } = last() as { err: Record<string, unknown> }
  expect(err).toMatchObject({
    name: 'AppError',
    code: 'unavailable',
    message: 'no answer',
    cause: { code: 'ECONNRESET', message: 'socket' },
  })
  expect(String(err.stack)).toContain('logger.test.ts')
  expect(JSON.stringify(err)).not.toContain('hush')
})

it('survives a circle', () => {
  const { log, lines } = collect()
  const circle: Record<string, unknown> = {}
  circle.self = circle
  log.info({ circle })
  expect(lines[0]).toContain('[deep]')
})

it('writes a readable line for a person, with the stack below', () => {
  const { log, lines } = collect({ pretty: true })
  log.info({ outcome: 'done', note: 'two words', ms: 12 }, 'job')
  log.error({ err: new Error('broken') }, 'failed')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences
  const plain = lines.map((line) => line.replace(/\u001b\[\d+m/g, ''))
  expect(plain[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}gateway job outcome=done note="two words" ms=12\n$/)
  expect(plain[1]).toMatch(/^\S+ error gateway failed\nError: broken\n {4}at /)
})
