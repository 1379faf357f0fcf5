import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

type Request = { readonly kind: string; readonly filename: string }

/** The image has these two folders of pdf.js's package and no others. */
const folders = new Map([
  ['cMapUrl', 'cmaps'],
  ['standardFontDataUrl', 'standard_fonts'],
])

/** Collections of characters, and the names of the encodings that map to each. */
const collections: readonly (readonly [name: string, encodings: RegExp])[] = [
  ['GB1', /^(?:GB|UniGB|Adobe-GB1-\d)/],
  ['CNS1', /^(?:B5|CNS|ET|HK|UniCNS|Adobe-CNS1-\d)/],
  ['Korea1', /^(?:KSC|UniKS|Adobe-Korea1-\d)/],
  ['Japan1', /^(?:\d\d|Add|EUC|Ext|[HV]\.|Hankaku|Hiragana|Katakana|NWP|Roman|RKSJ|UniJIS|WP|Adobe-Japan1-\d)/],
]

/**
 * Returns pdf.js's source of character maps and standard fonts for one document.
 *
 * Some programs write fonts whose encoding belongs to another collection than the font claims (`UniGB-UCS2-H` with
 * CNS1). The text then has to be looked up in the encoding's collection. pdf.js requests the table of a collection
 * right after an encoding, and each only once, so the first table after an encoding is that of its collection.
 */
export const pdfDataFactory = () => {
  const root = dirname(resolve('pdfjs-dist/package.json'))
  const served = new Set<string>()
  let encoded: string | undefined

  const fileFor = (filename: string): string => {
    const claimed = /^Adobe-(\w+)-UCS2\./.exec(filename)?.[1]
    if (claimed === undefined) {
      encoded = collections.find(([, encodings]) => encodings.test(filename))?.[0] ?? encoded
      return filename
    }
    const collection = encoded !== undefined && !served.has(encoded) ? encoded : claimed
    encoded = undefined
    served.add(collection)
    return filename.replace(claimed, collection)
  }

  return class {
    async fetch({ kind, filename }: Request): Promise<Uint8Array> {
      const folder = folders.get(kind)
      if (folder === undefined || !/^[\w-]+\.\w+$/.test(filename)) throw new Error(`${filename} is no file of pdf.js`)
      return new Uint8Array(await readFile(join(root, folder, fileFor(filename))))
    }
  }
}
