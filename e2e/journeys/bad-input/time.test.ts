import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { createNamespace, search, settled, upload } from '../../story.ts'
import { longText, useScene } from './scene.ts'

const scene = useScene()

/** Allowance for noise in a measured time, in milliseconds. */
const noiseMs = 15
const best = async (call: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    const from = performance.now()
    await call()
    times.push(performance.now() - from)
  }
  return Math.min(...times)
}
/** Expects that doubling the size takes at most two and a half times as long. */
const expectLinear = async (call: (size: number) => Promise<unknown>, size: number) => {
  await call(size)
  const [half, whole] = [await best(() => call(size / 2)), await best(() => call(size))]
  expect(whole, `${size / 2}: ${half} ms, ${size}: ${whole} ms`).toBeLessThanOrEqual(2.5 * half + noiseMs)
}

const hostile: readonly (readonly [name: string, make: (size: number) => string])[] = [
  ['one letter and a sign', (size) => `${'a'.repeat(size)}!`],
  ['opening brackets', (size) => '['.repeat(size)],
  ['brackets of links', (size) => '[]('.repeat(size / 3)],
  ['hyphens', (size) => '-'.repeat(size)],
  ['blanks', (size) => `a${' '.repeat(size)}b`],
  ['hashes', (size) => '#'.repeat(size)],
  ['filters', (size) => '#a:b '.repeat(size / 5)],
  ['sentence ends', (size) => '. '.repeat(size / 2)],
  ['line ends', (size) => `a${'\n'.repeat(size)}b`],
  ['combining marks', (size) => `e${'\u0301'.repeat(size)}`],
  ['plus signs after a letter', (size) => `c${'+'.repeat(size)}x`],
  ['joined emoji', (size) => '👩\u200d'.repeat(size / 3)],
]

describe('B26: texts made to keep a pattern busy', () => {
  it.each(hostile)('%s cost in proportion to their length, as document', async (_name, make) => {
    const name = await createNamespace(scene.api)
    const call = async (size: number) => {
      const { upload_id: uploadId } = await upload(scene.api, name, [
        { id: 'a', text: `${longText}${make(size - 100)}` },
      ])
      await settled(scene.api, name, uploadId)
    }
    await expectLinear(call, 48_000)
  })

  it('cost in proportion to their length, as query', async () => {
    const name = await createNamespace(scene.api)
    for (const [, make] of hostile)
      await expectLinear((size) => search(scene.api, [name], `x${make(size - 100)}`), 9_600)
  })

  it('cost in proportion to their length, as name, id and metadata', async () => {
    for (const [, make] of hostile) {
      await expectLinear(
        (size) =>
          scene.api.call(operations.createNamespace, { body: { namespace_name: make(size), type: 'text' } }, 400),
        50_000,
      )
      await expectLinear(
        (size) => scene.api.any(operations.getDocuments, { params: scene.text, body: { ids: [make(size)] } }),
        50_000,
      )
      const sent = (size: number) => ({
        params: scene.text,
        body: { documents: [{ id: 'a', text: longText, [make(1_000)]: make(size) }] },
      })
      await expectLinear((size) => scene.api.call(operations.uploadDocuments, sent(size), 207), 50_000)
    }
  })
})
