/**
 * Properties that determine a job's duration: its bytes and its group (a namespace, a type of files, a target of
 * deletions).
 */
export type JobSize = { readonly group: string; readonly bytes: number }
/** `concurrency`: average number of jobs that ran during this one, itself included. */
export type Measured = JobSize & { readonly ms: number; readonly endedAt: number; readonly concurrency: number }
export type Durations = {
  /** Returns the milliseconds that a job takes when it runs alone. */
  readonly alone: (job: JobSize) => number
  /**
   * How much concurrent jobs slow each other down, 0 to 1: `n` jobs take `n ** sharing` times as long as one alone. 0:
   * not at all. 1: they share one resource, such as the processor of a local model.
   */
  readonly sharing: number
}

/** Age at which the weight of a measurement is halved. */
const halfLifeMs = 10_000
/**
 * Raised to the power of a measurement's recency rank, gives its minimum weight, whatever its age: large jobs are
 * measured only once a minute.
 */
const perRank = 0.8
/** Durations below this are noise; they must not outweigh others, since errors are relative to durations. */
const minMs = 5
/** Weight of the prior assumption that a group is like all others. */
const priorWeight = 1

/** Relative error above which a measurement has less weight, such as a first job that loads a model, or a pause. */
const usualError = 0.15
const rounds = 4

type Weighted = Measured & { readonly weight: number }

const weighted = (measured: readonly Measured[]): Weighted[] => {
  const newest = measured.toSorted((a, b) => b.endedAt - a.endedAt)
  const lastAt = newest[0]?.endedAt ?? 0
  return newest.map((one, rank) => ({
    ...one,
    ms: Math.max(minMs, one.ms),
    weight: Math.max(perRank ** rank, 2 ** ((one.endedAt - lastAt) / halfLifeMs)),
  }))
}

type Line = { readonly fixed: number; readonly perByte: number }

/** Fits `ms = fixed + perByte × bytes`, neither below zero, by least squares of the errors relative to `scaleOf`. */
const fitLine = (samples: readonly Weighted[], scaleOf: (sample: Weighted) => number): Line => {
  let [w, x, xx, y, xy] = [0, 0, 0, 0, 0]
  for (const sample of samples) {
    const { bytes, ms, weight } = sample
    const share = weight / scaleOf(sample) ** 2
    w += share
    x += share * bytes
    xx += share * bytes ** 2
    y += share * ms
    xy += share * bytes * ms
  }
  const determinant = w * xx - x ** 2
  // If all samples have one size, a job of another size is assumed to take time in proportion to its size.
  const isOneSize = determinant <= 1e-6 * w * xx
  const perByte = isOneSize ? 0 : (w * xy - x * y) / determinant
  const fixed = isOneSize ? 0 : (y - perByte * x) / w
  if (xx > 0 && (isOneSize || fixed < 0)) return { fixed: 0, perByte: xy / xx }
  return perByte > 0 ? { fixed, perByte } : { fixed: y / w, perByte: 0 }
}

type Usual = (job: JobSize) => number

/** Returns the weighted median of the ratios of the samples' durations to `usual`. */
const middleOf = (samples: readonly Weighted[], usual: Usual): number => {
  const ratioOf = (one: Weighted) => one.ms / usual(one)
  let left = samples.reduce((sum, { weight }) => sum + weight, 0) / 2
  let middle = 1
  for (const one of samples.toSorted((a, b) => ratioOf(a) - ratioOf(b))) {
    middle = ratioOf(one)
    left -= one.weight
    if (left <= 0) break
  }
  return middle
}

/** Returns the samples, with less weight for outliers of their group. */
const trusted = (samples: readonly Weighted[], usual: Usual): Weighted[] =>
  [...Map.groupBy(samples, ({ group }) => group).values()].flatMap((some) => {
    const ratio = middleOf(some, usual)
    return some.map((one) => {
      const error = Math.abs(Math.log(one.ms / usual(one) / ratio))
      return { ...one, weight: one.weight * Math.min(1, usualError / error) ** 2 }
    })
  })

const fitAlone = (samples: readonly Weighted[]): Usual => {
  const along =
    ({ fixed, perByte }: Line): Usual =>
    ({ bytes }) =>
      Math.max(minMs, fixed + perByte * bytes)
  // The first fit weighs errors relative to the measured durations, which overrates short ones; later fits weigh
  // them relative to the previous fit.
  let usual = along(fitLine(samples, ({ ms }) => ms))
  for (let round = 0; round < rounds; round += 1) usual = along(fitLine(trusted(samples, usual), usual))
  const ratios = new Map<string, number>()
  for (const [group, some] of Map.groupBy(trusted(samples, usual), (sample) => sample.group)) {
    let [sum, weights] = [priorWeight, priorWeight]
    for (const sample of some) {
      sum += (sample.weight * sample.ms) / usual(sample)
      weights += sample.weight
    }
    ratios.set(group, sum / weights)
  }
  return (job) => usual(job) * (ratios.get(job.group) ?? 1)
}

const sharings = [0, 0.5, 1]
/** Penalty per unit of `1 - sharing`: without evidence, jobs are assumed to share a resource. */
const doubt = 0.001

/** Fits durations to measured jobs, with the most weight on the latest. Returns undefined without measurements. */
export const fitDurations = (measured: readonly Measured[]): Durations | undefined => {
  if (measured.length === 0) return undefined
  const samples = weighted(measured)
  const total = samples.reduce((sum, { weight }) => sum + weight, 0)
  const fits = sharings.map((sharing) => {
    const unshared = samples.map((one) => ({ ...one, ms: Math.max(minMs, one.ms / one.concurrency ** sharing) }))
    const alone = fitAlone(unshared)
    const errors = unshared.reduce((sum, one) => sum + one.weight * Math.log(one.ms / alone(one)) ** 2, 0)
    return { sharing, alone, error: errors / total + doubt * (1 - sharing) }
  })
  return fits.toSorted((a, b) => a.error - b.error)[0]
}
