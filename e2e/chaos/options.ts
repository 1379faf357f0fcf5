import { parseArgs } from 'node:util'
import { type ClusterEngine, clusterEngines } from '@cairn/testing/native-engines'
import { wholeNumber } from '../command-line.ts'

export type ChaosOptions = {
  readonly seed: number
  readonly minutes: number
  readonly documents: number
  /** File for the figures, as JSON. */
  readonly json?: string
}

export type Command =
  | { readonly mode: 'help' }
  | ({ readonly mode: 'chaos' } & ChaosOptions)
  | ({ readonly mode: 'outage'; readonly engine: ClusterEngine; readonly seconds: number } & ChaosOptions)
  | ({ readonly mode: 'full disk'; readonly engine: DiskName } & ChaosOptions)
  | ({ readonly mode: 'revoke' } & ChaosOptions)
  | ({ readonly mode: 'file faults' } & ChaosOptions)
  | ({ readonly mode: 'files'; readonly files: number; readonly kills: number } & ChaosOptions)
  | ({ readonly mode: 'crash test' } & CrashTestOptions)

/** Damages to the log of one process. */
const damages = ['torn', 'cut'] as const

export type CrashTestOptions = ChaosOptions & {
  readonly kills: number
  /** Damages the log after one kill, instead of `kills`. */
  readonly damage?: (typeof damages)[number]
}

/** Engines whose disk can be filled. */
export const diskNames = ['mongodb', 'kafka', 'qdrant'] as const
export type DiskName = (typeof diskNames)[number]

export const usage = `npm run chaos -- [--seed N] [--minutes M] [--documents D] [--json FILE]

Starts engines, proxies and services of its own, loads them, and injects the faults that the seed draws: processes and engines are
killed, frozen and restarted, links cut and slowed, messages repeated, forged and mixed with rubbish, points lost. Then nothing acknowledged
may be lost or doubled, and every promise of docs/architecture.md has to hold.

  --seed N         draws the faults, their times and the requests (1)
  --minutes M      duration of the faults (3)
  --documents D    uploaded meanwhile (2000)
  --json FILE      writes the figures as JSON

or one thing at a time, under a steady load:
  --outage ENGINE --seconds S    ${clusterEngines.join(', ')} can't be reached for S seconds (30)
  --full-disk ENGINE             the disk of ${diskNames.join(', ')} is full (needs root)
  --revoke                       a key is revoked that is in use at two gateways
  --files N --kills K            N files of every type while what reads them is killed K times (10)
  --file-faults                  files: races with deletions, parsers that die, lost and tripled hints, a store that is killed

or one process instead of a cluster (npm run crash-test):
  --crash-test --kills K         the process is killed K times (10) while 10,000 documents are uploaded
  --crash-test --damage KIND     its log is ${damages.join(' or ')} at a kill`

const oneOf = <T extends string>(name: string, value: string, values: readonly T[]): T => {
  const found = values.find((one) => one === value)
  if (found) return found
  throw new Error(`--${name} is one of ${values.join(', ')}, not ${value}`)
}

/** Parses the command line. Throws an error that describes an invalid option. */
export const readCommand = (args: readonly string[]): Command => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '3' },
      documents: { type: 'string' },
      json: { type: 'string' },
      outage: { type: 'string' },
      seconds: { type: 'string' },
      'full-disk': { type: 'string' },
      revoke: { type: 'boolean' },
      files: { type: 'string' },
      'file-faults': { type: 'boolean' },
      kills: { type: 'string' },
      'crash-test': { type: 'boolean' },
      damage: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return { mode: 'help' }
  const minutes = /^\d+(\.\d+)?$/.test(values.minutes) ? Number(values.minutes) : Number.NaN
  if (!(minutes >= 0.5 && minutes <= 600))
    throw new Error(`--minutes is a number from 0.5 to 600, not ${values.minutes}`)
  const base = {
    seed: wholeNumber('seed', values.seed, 0, 2 ** 48),
    minutes,
    documents: wholeNumber('documents', values.documents ?? (values['crash-test'] ? '10000' : '2000'), 1, 1_000_000),
    ...(values.json === undefined ? {} : { json: values.json }),
  }
  const modes = ['outage', 'full-disk', 'revoke', 'files', 'file-faults', 'crash-test'] as const
  if (modes.filter((mode) => values[mode] !== undefined).length > 1)
    throw new Error(`${modes.map((mode) => `--${mode}`).join(', ')} are each for a run of its own`)
  if (values.seconds !== undefined && values.outage === undefined) throw new Error('--seconds belongs to --outage')
  if (values.kills !== undefined && values.files === undefined && !values['crash-test'])
    throw new Error('--kills belongs to --files and --crash-test')
  if (values.damage !== undefined && !values['crash-test']) throw new Error('--damage belongs to --crash-test')
  const kills = wholeNumber('kills', values.kills ?? '10', 0, 1_000)
  if (values.files !== undefined) {
    return {
      mode: 'files',
      files: wholeNumber('files', values.files, 1, 10_000),
      kills,
      ...base,
    }
  }
  if (values.outage !== undefined) {
    const seconds = wholeNumber('seconds', values.seconds ?? '30', 1, 3_600)
    return { mode: 'outage', engine: oneOf('outage', values.outage, clusterEngines), seconds, ...base }
  }
  if (values['full-disk'] !== undefined)
    return { mode: 'full disk', engine: oneOf('full-disk', values['full-disk'], diskNames), ...base }
  if (values['crash-test'])
    return {
      mode: 'crash test',
      kills,
      ...(values.damage === undefined ? {} : { damage: oneOf('damage', values.damage, damages) }),
      ...base,
    }
  if (values['file-faults']) return { mode: 'file faults', ...base }
  return { mode: values.revoke ? 'revoke' : 'chaos', ...base }
}
