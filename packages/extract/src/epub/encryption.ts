import { readSmallXml } from '../shared/office-part.ts'
import type { CheckedZip } from '../shared/zip-check.ts'
import { unreadable } from '../unreadable.ts'
import { type BookItem, partPath } from './package.ts'

/** Obscure only fonts, against copying them out of the book. */
const fontAlgorithms = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])

export const checkEncryption = async (zip: CheckedZip, spine: readonly BookItem[]): Promise<void> => {
  const chapters = new Set(spine.map(({ path }) => path))
  let algorithm = ''
  await readSmallXml(zip, 'META-INF/encryption.xml', {
    open(name, attribute) {
      if (name === 'EncryptionMethod') algorithm = attribute('Algorithm') ?? ''
      if (name !== 'CipherReference' || fontAlgorithms.has(algorithm)) return
      if (chapters.has(partPath(attribute('URI') ?? '', '') ?? ''))
        throw unreadable('encrypted', 'The book is protected against copying (DRM).')
    },
    close(name) {
      if (name === 'EncryptedData') algorithm = ''
    },
  })
}
