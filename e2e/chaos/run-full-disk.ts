import { setTimeout as pause } from 'node:timers/promises'
import { finish } from './finish.ts'
import type { ChaosOptions, DiskName } from './options.ts'
import { makePlaces } from './places.ts'
import { type Probe, probeFaults, probeFigures, servedWithout, startProbes } from './probes.ts'
import { recover } from './recover.ts'
import type { Outcome } from './report.ts'
import { mountSmallDisk, type SmallDisk, whyNoSmallDisk } from './small-disk.ts'
import { steadyLoad } from './steady-load.ts'
import { withSystem } from './system.ts'

const clients = 4
const megabytes = 64
const documentsPerSecond = 20
const calmMs = 5_000
const fullMs = 20_000

/**
 * Fills the disk of one engine for a while: nothing acknowledged may be lost, and Cairn must continue by itself once
 * there is space. An engine that does not recover by itself is restarted, as a supervisor would do; the number of
 * restarts is reported.
 */
export const runFullDisk = async (
  options: ChaosOptions & { readonly engine: DiskName },
  say: (line: string) => void,
): Promise<Outcome> => {
  const { seed, engine } = options
  const title = `the disk of ${engine} (${megabytes} MB) full for ${fullMs / 1_000} s`
  const missing = whyNoSmallDisk()
  if (missing !== undefined)
    return { title, figures: { notRun: missing }, broken: [], schedule: [], logs: '', seconds: 0 }
  const ms = 2 * calmMs + fullMs
  const documents = Math.round((documentsPerSecond * ms) / 1_000)
  let disk: SmallDisk | undefined
  const before = async (name: string, home: string) => {
    if (name === engine) disk = await mountSmallDisk(home, megabytes)
  }
  return withSystem({ seed, documents, before, after: async () => disk?.unmount() }, async (system) => {
    const [account] = system.accounts
    if (!account) throw new Error('there is no account')
    await makePlaces(system)
    const loading = steadyLoad({ system, seed, clients, documents, ms, lateMs: 0, churns: false }).run()
    const probing = startProbes(system, account)
    await pause(calmMs)
    const fullAt = performance.now()
    disk?.fill()
    say(`the disk of ${engine} is full`)
    await pause(fullMs)
    disk?.free()
    say('there is space again')
    const recovery = await recover(system, engine, say)
    const backAt = performance.now()
    await Promise.all([loading, pause(calmMs)])
    const probes = await probing.stop()
    const during = probes.filter(({ at }) => at >= fullAt && at < backAt)
    const { figures, broken } = await finish({
      system,
      quietFrom: backAt,
      storeTroubled: engine === 'mongodb' ? [{ from: fullAt, to: backAt }] : [],
    })
    // An engine may still have space in its files, so a served request is not a fault.
    const refusedRightly = (probe: Probe) =>
      !(servedWithout[engine][probe.kind] === false && probe.status < 300 && probe.status > 0)
    return {
      title,
      figures: {
        before: probeFigures(probes.filter(({ at }) => at < fullAt)),
        during: probeFigures(during),
        after: probeFigures(probes.filter(({ at }) => at >= backAt)),
        ...recovery,
        ...figures,
      },
      broken: [...broken, ...probeFaults(during.filter(refusedRightly), servedWithout[engine])],
      schedule: [`${calmMs / 1_000} s  the disk of ${engine} is full for ${fullMs} ms`],
    }
  })
}
