import type { FileStore } from '@cairn/domain/ports/file-store'
import { afterAll, beforeAll, describe } from 'vitest'
import { closingContract } from './contract/closing.contract.ts'
import { contentContract } from './contract/content.contract.ts'
import { interruptionContract } from './contract/interruption.contract.ts'
import { keysContract } from './contract/keys.contract.ts'
import { multipartContract } from './contract/multipart.contract.ts'
import { signingContract } from './contract/signing.contract.ts'
import { createScene, type FilePlace, type FileStoreContract } from './contract/store.fixture.ts'

/** Contract of every file store, whatever its engine. */
export const fileStoreContract = (contract: FileStoreContract): void => {
  describe('file store', () => {
    let shared: { readonly place: FilePlace; readonly store: FileStore }
    beforeAll(async () => {
      const place = await contract.open()
      shared = { place, store: place.connect() }
      await shared.store.ensure()
    })
    afterAll(async () => {
      await shared.store.close()
      await shared.place.remove()
    })
    const scene = createScene(contract, () => shared)
    contentContract(scene)
    keysContract(scene)
    interruptionContract(scene)
    signingContract(scene)
    multipartContract(scene)
    closingContract(scene)
  })
}
