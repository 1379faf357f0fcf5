import { randomBytes } from 'node:crypto'
import { qdrantVectorIndex } from '@cairn/adapters/vector-index/qdrant'
import { describeWithEngine } from '@cairn/testing/engines'
import { expect, it, onTestFinished } from 'vitest'
import { losePoints } from './lost-points.ts'

describeWithEngine('qdrant', (qdrant) => {
  const url = qdrant('CAIRN_QDRANT_URL')
  const apiKey = qdrant('CAIRN_QDRANT_API_KEY')
  const space = { key: 'lost-2', dimension: 2 }

  it('loses a share of the points of one installation, the same for the same seed', async () => {
    const prefixes = ['one-', 'other-'].map((name) => `test-${randomBytes(6).toString('hex')}-${name}`)
    const [mine, theirs] = prefixes.map((prefix) => qdrantVectorIndex({ url, apiKey, prefix }))
    if (!mine || !theirs) throw new Error('no index')
    onTestFinished(async () => {
      await Promise.all([mine.close(), theirs.close()])
      const headers = { 'api-key': apiKey }
      for (const prefix of prefixes)
        await fetch(`${url}/collections/${prefix}${space.key}`, { method: 'DELETE', headers })
    })
    const points = Array.from({ length: 2_500 }, (_, i) => ({
      namespaceId: 'ns',
      itemId: `${i}`,
      version: 'v',
      passage: 0,
      terms: [],
      words: [],
      vector: Float32Array.of(1, i),
    }))
    await mine.upsert(space, points)
    await theirs.upsert(space, points)
    const loss = { url, apiKey, prefix: prefixes[0] ?? '', share: 0.2, seed: 7 }
    const lost = await losePoints(loss)
    expect(lost).toBeGreaterThan(300)
    expect(lost).toBeLessThan(700)
    expect(await mine.count(space, 'ns')).toBe(2_500 - lost)
    expect(await theirs.count(space, 'ns')).toBe(2_500)
    await mine.upsert(space, points)
    expect(await losePoints(loss)).toBe(lost)
  })
})
