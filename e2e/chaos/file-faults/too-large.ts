import { untilRead } from '../files/file-load.ts'
import { bring } from '../files/file-plan.ts'
import type { Scene, Tried } from './scene.ts'

const readWithinMs = 300_000
const largeBytes = 400 * 1024 ** 2
/** Enough for several megabytes of XML, whose tree takes many times as much memory. */
const sentences = 8_000

/** Returns a file larger than any process may be, of a type that is rejected only once the file is on disk. */
const largeFile = (): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(largeBytes)
  bytes.set(new TextEncoder().encode('%PDF-1.7\n'))
  return bytes
}

/**
 * F19: uploads a file whose parsing needs more than a reader's 128 MB of heap, a file of 400 MB, and a small one. The
 * first two must fail, the small one must be read, and no service may exit.
 */
export const readTooLarge = async ({ system, stores, place, seed }: Scene): Promise<Tried> => {
  const before = system.cluster.processes.map((one) => one.starts())
  const ends = system.ended.length
  const names = ['tree.docx', 'large.pdf', 'after.md'] as const
  const [tree, large, after] = names
  await place.client.put(tree, (await bring('docx', { is: 'sound', seed, sentences, scans: 'none' })).bytes)
  await place.client.put(large, largeFile())
  await place.client.put(after, (await bring('md', { is: 'sound', seed, sentences: 40, scans: 'none' })).bytes)
  const unread = await untilRead(
    stores,
    names.map((name) => ({ place, name })),
    readWithinMs,
  )
  const [ofTree, ofLarge, ofAfter] = await Promise.all(names.map((name) => place.client.status(name)))
  const restarted = system.cluster.processes.filter((one, index) => one.starts() !== before[index])
  return {
    figures: {
      tree: ofTree?.reason ?? 'none',
      'large file': ofLarge?.reason ?? 'none',
      'file after them': ofAfter?.state ?? 'none',
      'services ended': system.ended.length - ends,
    },
    broken: [
      ...unread,
      ...(ofTree?.reason === 'too_large_to_process' ? [] : [`F19: ${tree} is ${ofTree?.state} (${ofTree?.reason})`]),
      ...(ofLarge?.state === 'failed' ? [] : [`F19: ${large} is ${ofLarge?.state}`]),
      ...(ofAfter?.state === 'completed' ? [] : [`F19: ${after} is ${ofAfter?.state} (${ofAfter?.reason})`]),
      ...restarted.map(({ name }) => `F19: ${name} ended`),
    ],
  }
}
