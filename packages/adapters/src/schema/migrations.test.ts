import { expect, it } from 'vitest'
import { mongodbMigrations } from '../store/mongodb-migrations.ts'
import { storeMigrations } from '../store/sqlite-migrations.ts'
import { qdrantMigrations } from '../vector-index/qdrant/migrations.ts'
import { vectorMigrations } from '../vector-index/sqlite/migrations.ts'
import { applyMigrations, type Migration, type SchemaRecord, type SchemaState } from './migrations.ts'

it.each(Object.entries({ storeMigrations, mongodbMigrations, qdrantMigrations, vectorMigrations }))(
  '%s are numbered from 1 without gaps, and require no step that is still to come',
  (_, steps) => {
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1))
    for (const { number, requires = 0 } of steps) expect(requires).toBeLessThanOrEqual(number)
  },
)

const scene = (state: SchemaState = { number: 0, requires: 0 }) => {
  const applied: unknown[] = []
  const lines: string[] = []
  const record: SchemaRecord = { read: async () => state, applied: async (step) => void applied.push(step) }
  const ran: number[] = []
  const step = (number: number, requires?: number): Migration<number[]> => ({
    number,
    name: `step ${number}`,
    ...(requires === undefined ? {} : { requires }),
    apply: (context, log) => {
      context.push(number)
      log('half of it')
    },
  })
  const run = (migrations: readonly Migration<number[]>[]) =>
    applyMigrations({ what: 'engine', migrations, context: ran, record, log: (line) => void lines.push(line) })
  return { run, step, applied, lines, ran }
}

it('applies unrecorded steps in order, records each with the version that it requires, and logs it', async () => {
  const { run, step, applied, lines, ran } = scene({ number: 1, requires: 1 })
  await run([step(1, 1), step(2), step(3, 2), step(4)])
  expect(ran).toEqual([2, 3, 4])
  expect(applied).toEqual([
    { number: 2, name: 'step 2', requires: 1 },
    { number: 3, name: 'step 3', requires: 2 },
    { number: 4, name: 'step 4', requires: 2 },
  ])
  expect(lines.slice(0, 2)).toEqual([
    'engine: schema step 2 of 4, step 2',
    'engine: schema step 2 of 4, step 2: half of it',
  ])
})

it('records neither a failed step nor the steps after it', async () => {
  const { run, step, applied, ran } = scene()
  const fails = { ...step(2), apply: () => Promise.reject(new Error('no space')) }
  await expect(run([step(1), fails, step(3)])).rejects.toThrow('no space')
  expect(applied).toMatchObject([{ number: 1 }])
  expect(ran).toEqual([1])
})

it('accepts data that a later version has extended, and rejects data that requires a later version', async () => {
  const later = scene({ number: 9, requires: 2 })
  await later.run([later.step(1), later.step(2)])
  expect(later.ran).toEqual([])
  const newer = scene({ number: 9, requires: 3 })
  await expect(newer.run([newer.step(1), newer.step(2)])).rejects.toMatchObject({
    code: 'unavailable',
    cause: 'schema mismatch',
  })
})
