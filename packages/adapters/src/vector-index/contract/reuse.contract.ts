import { expect } from 'vitest'
import { point, type Scene, space, wide, wideVector } from './points.fixture.ts'

/** Contract of `vectorsOf`: vectors of points that have a term. */
export const reuseContract = ({ of, openIndex }: Scene): void => {
  const unit = (values: readonly number[]) => {
    const length = Math.hypot(...values)
    return values.map((value) => value / length)
  }
  const expectNear = (found: Float32Array | undefined, wanted: readonly number[]) => {
    expect(found).toHaveLength(wanted.length)
    for (const [index, value] of wanted.entries()) expect(found?.[index]).toBeCloseTo(value, 6)
  }

  of('reuse', 'gives for each term the vector of a point of the namespace that has it', async () => {
    const vectors = [wideVector(1), wideVector(2), wideVector(3)]
    const index = await openIndex(
      vectors.map((vector, index) =>
        point({ itemId: `i${index}`, vector, terms: [`t${index}`, 'shared'], words: ['t9'] }),
      ),
      wide,
    )
    const found = await index.vectorsOf(wide, 'ns', ['t2', 'nowhere', 't0', 't9', 't2'])
    expectNear(found[0], unit(vectors[2]!))
    expect(found[1]).toBeUndefined()
    expectNear(found[2], unit(vectors[0]!))
    expect(found[3]).toBeUndefined()
    expectNear(found[4], unit(vectors[2]!))
    expect((await index.vectorsOf(wide, 'ns', ['shared']))[0]).toHaveLength(wide.dimension)
    expect(await index.vectorsOf(wide, 'ns', [])).toEqual([])
  })

  of('reuse', 'gives the dense vector of a point that has lexemes', async () => {
    const lexemes = { ids: Uint32Array.of(7, 9), counts: Uint8Array.of(1, 2) }
    const index = await openIndex([point({ vector: wideVector(1), terms: ['t'], lexemes })], wide)
    expectNear((await index.vectorsOf(wide, 'ns', ['t']))[0], unit(wideVector(1)))
  })

  of('reuse', 'gives nothing of another namespace, or of what was removed', async () => {
    const index = await openIndex([
      point({ namespaceId: 'other', terms: ['t'] }),
      point({ itemId: 'gone', terms: ['u'] }),
    ])
    await index.removeVersions(space, [{ namespaceId: 'ns', itemId: 'gone', version: 'v1' }])
    expect(await index.vectorsOf(space, 'ns', ['t', 'u'])).toEqual([undefined, undefined])
    expect(await index.vectorsOf(space, 'nobody', ['t'])).toEqual([undefined])
    expect(await index.vectorsOf({ key: 'unknown', dimension: 4 }, 'ns', ['t'])).toEqual([undefined])
  })
}
