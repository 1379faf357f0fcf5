import type { FileType } from '@cairn/contracts/files/file-rules'
import { createMaterial } from '@cairn/testing/material/create-material'
import type { Truth } from '@cairn/testing/material/material'
import { mutate, mutationKinds } from '@cairn/testing/material/mutate'
import { seededRandom } from '@cairn/testing/seeded-random'
import type { Canaries } from './canaries.ts'
import type { MalformedOptions } from './options.ts'

/** Parameters of a malformed file. Equal parameters give an equal file, except for the canaries' locations. */
export type Case = { readonly type: FileType; readonly kind: string; readonly seed: number }

export const nameOf = ({ type, kind, seed }: Case): string => `${kind}-${seed}.${type}`

/** Returns the command that repeats one case. */
export const commandOf = ({ type, kind, seed }: Case): string =>
  `npm run malformed -- --type ${type} --kind ${kind} --seed ${seed} --count 1`

/** Returns cases with all mutations in turn, in an order drawn from the seed. */
export const casesOf = (
  type: FileType,
  { count, seed, kind }: Pick<MalformedOptions, 'count' | 'seed' | 'kind'>,
): Case[] => {
  const kinds = kind === undefined ? seededRandom(seed).shuffle(mutationKinds(type)) : [kind]
  return Array.from({ length: count }, (_, index) => ({
    type,
    kind: kinds[index % kinds.length] as string,
    seed: seed + index,
  }))
}

/** Sizes of huge content, in bytes: just above the limit, which is the usual case, and far above it. */
const hugeBytes = [3_000_000, 20_000_000]
/** Share of PDFs with scanned pages; a scanned page takes seconds to read. */
const scannedShare = 0.03

export const build = async (
  { type, kind, seed }: Case,
  { file, url }: Canaries,
): Promise<{ bytes: Buffer; truth: Truth }> => {
  const random = seededRandom(seed)
  const { bytes, truth } = await createMaterial(
    type,
    seed,
    type === 'pdf' && random.chance(scannedShare) ? { scans: 'some' } : {},
  )
  const size = random.chance(0.1) ? hugeBytes[1] : hugeBytes[0]
  const spoilt = mutate(bytes, type, seed, { kind, canaryFile: file, canaryUrl: url, hugeBytes: size as number })
  return { bytes: spoilt.bytes, truth }
}
