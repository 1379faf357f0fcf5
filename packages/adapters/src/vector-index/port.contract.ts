import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import { afterAll, beforeAll, describe } from 'vitest'
import { concurrencyContract } from './contract/concurrency.contract.ts'
import { fieldsContract } from './contract/fields.contract.ts'
import { filtersContract } from './contract/filters.contract.ts'
import { listingContract } from './contract/listing.contract.ts'
import { missingContract } from './contract/missing.contract.ts'
import { namespacesContract } from './contract/namespaces.contract.ts'
import { createScene, type VectorIndexContract } from './contract/points.fixture.ts'
import { rankingContract } from './contract/ranking.contract.ts'
import { removalContract } from './contract/removal.contract.ts'
import { reuseContract } from './contract/reuse.contract.ts'
import { wordsContract } from './contract/words.contract.ts'
import { writingContract } from './contract/writing.contract.ts'

/** Contract of every vector index, whatever its engine. */
export const vectorIndexContract = (contract: VectorIndexContract): void => {
  describe('vector index', () => {
    let shared: VectorIndex
    beforeAll(async () => {
      shared = await contract.open(0)
    })
    afterAll(() => shared.close())
    const scene = createScene(contract, () => shared)
    writingContract(scene)
    rankingContract(scene)
    wordsContract(scene)
    filtersContract(scene)
    fieldsContract(scene)
    namespacesContract(scene)
    removalContract(scene)
    listingContract(scene)
    missingContract(scene)
    reuseContract(scene)
    concurrencyContract(scene)
  })
}
