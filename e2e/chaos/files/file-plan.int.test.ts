import { fileTypes } from '@cairn/contracts/files/file-rules'
import { expect, it } from 'vitest'
import { bring, planFiles } from './file-plan.ts'

it('has every type, way, size and end among a hundred files, and is the same for the same seed', () => {
  for (const seed of [1, 2, 3]) {
    const plan = planFiles(seed, 100, 3)
    expect(planFiles(seed, 100, 3)).toEqual(plan)
    expect(new Set(plan.map(({ type }) => type)).size).toBe(fileTypes.length)
    expect(new Set(plan.map(({ name }) => name)).size).toBe(100)
    expect(new Set(plan.map(({ account }) => account))).toEqual(new Set([0, 1, 2]))
    const share = (is: (file: (typeof plan)[number]) => boolean) => plan.filter(is).length
    expect(share(({ way }) => way === 'form')).toBeGreaterThan(30)
    expect(share(({ way }) => way === 'address')).toBeGreaterThan(30)
    expect(share(({ content }) => content.is === 'sound' && content.sentences > 1_000)).toBeGreaterThanOrEqual(2)
    expect(share(({ content }) => content.is === 'sound' && content.scans === 'all')).toBe(2)
    expect(share(({ content }) => content.is !== 'sound')).toBeGreaterThanOrEqual(3)
    for (const end of ['other bytes', 'same bytes', 'deleted', 'deleted and brought again'])
      expect(share(({ ending }) => ending === end)).toBeGreaterThan(0)
  }
})

it('knows a sentence of what it brings, where it can be read', async () => {
  const { bytes, sentence } = await bring('md', { is: 'sound', seed: 5, sentences: 10, scans: 'none' })
  expect(Buffer.from(bytes).toString()).toContain(sentence)
  expect(await bring('txt', { is: 'empty' })).toEqual({ bytes: new Uint8Array(0) })
  expect((await bring('json', { is: 'damaged' })).sentence).toBeUndefined()
})
