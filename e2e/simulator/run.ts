import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import { seededRandom } from '@cairn/testing/seeded-random'
import { createClients } from './clients.ts'
import { createFollowers } from './followers.ts'
import { createNemesis } from './nemesis.ts'
import { createOracle } from './oracle.ts'
import type { PlantedFault } from './planted-faults.ts'
import { profileOf } from './profile.ts'
import { createProgram } from './program.ts'
import { settleAndCheck } from './quiet.ts'
import { createWorld } from './world.ts'

export type RunOptions = {
  readonly seed: number
  readonly fault?: PlantedFault | undefined
  readonly trace?: ((line: string) => void) | undefined
}
export type RunResult = {
  readonly seed: number
  readonly violations: readonly string[]
  readonly steps: number
  readonly requests: number
  readonly virtualMs: number
}

/** Limit of steps, more than any program needs. A run that reaches the limit continues with its quiet period. */
const maxSteps = 6_000

/**
 * Stops the clock by which product code measures its work to pause for others: a pause leaves the tick queue, in which
 * the simulation runs, so on a busy machine a request would stand still.
 */
const withoutPauses = async <T>(work: () => Promise<T>): Promise<T> => {
  const { now } = performance
  performance.now = () => 0
  try {
    return await work()
  } finally {
    performance.now = now
  }
}

/** Performs one run: requests, services and faults drawn from the seed, then a quiet period, then the checks. */
export const runSeed = (options: RunOptions): Promise<RunResult> => withoutPauses(() => run(options))

const run = async ({ seed, fault, trace }: RunOptions): Promise<RunResult> => {
  const random = seededRandom(seed)
  const profile = profileOf(random)
  const world = createWorld({ random, profile, fault, trace })
  const { scheduler } = world
  scheduler.note(
    `seed ${seed}: ${JSON.stringify({ ...profile, strike: { ...profile.strike, after: String(profile.strike.after) } })}`,
  )
  const accounts = []
  for (let index = 1; index <= profile.accounts; index += 1)
    accounts.push(
      await world.bare.accounts.insert({
        id: `account_${index}`,
        name: 'one',
        tier: 'tier',
        subscriptionEndsAt: null,
        createdAt: 0,
      }),
    )
  for (const process of world.processes) world.start(process)
  const oracle = createOracle(world, profile)
  const clients = createClients({ world, random, profile, accounts, oracle })
  const followers = createFollowers({ world, random, accountIds: profile.follows ? accounts.map(({ id }) => id) : [] })
  const everSeen = new Map<string, { key: string; dimension: number }>()
  const violations: string[] = []

  const step = async () => {
    await scheduler.step()
    if (!world.state.dirty) return
    world.state.dirty = false
    for (const namespace of world.namespaces()) everSeen.set(namespace.id, embeddingSpaceOf(namespace))
    const fault = oracle.afterWrite()
    if (fault) violations.push(fault)
  }
  const failed = () => violations.length > 0 || clients.failures.length > 0
  const done = (): RunResult => ({
    seed,
    violations: [...violations, ...clients.failures],
    steps: scheduler.steps(),
    requests: clients.ledger.entries.length,
    virtualMs: scheduler.now(),
  })

  for (const { id } of accounts) for (const { name, type } of profile.namespaces) clients.makeNamespace(id, name, type)
  while (clients.pending() > 0 && scheduler.steps() < maxSteps) await step()

  world.setChaos(true)
  const nemesis = createNemesis({ world, random, profile })
  const program = createProgram({ clients, nemesis, scheduler, random, profile })
  for (let endAt = 0; !failed() && scheduler.steps() < maxSteps; ) {
    await nemesis.disturb()
    program.begin()
    followers.step()
    await step()
    nemesis.strike()
    if (program.more() || clients.pending() > 0) endAt = scheduler.now() + profile.lingerMs
    else if (scheduler.now() >= endAt) break
  }
  followers.end()
  if (failed()) return done()
  world.setChaos(false)
  for (const { life } of world.processes) life.pausedUntil = 0
  violations.push(
    ...(await settleAndCheck({
      world,
      clients,
      profile,
      accountIds: accounts.map(({ id }) => id),
      everSeen,
      step,
      failed,
    })),
  )
  if (!failed()) violations.push(...(await followers.check()))
  return done()
}
