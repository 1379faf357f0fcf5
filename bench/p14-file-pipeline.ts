import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { readConfig } from '@cairn/runtime/config/config'
import { standaloneConfig } from '@cairn/standalone/config'
import { createMaterial } from '@cairn/testing/material/create-material'
import { sendFile, untilCompleted } from './files/send-file.ts'
import { startProduct } from './harness/product.ts'
import type { Measured, Row } from './harness/row.ts'
import { startSubject } from './harness/subject.ts'
import type { ExtractorLoad, ExtractorOptions } from './subjects/extractor.ts'

/** Defaults of `npm start`. */
const { fileConcurrency, fileMemoryMegabytes } = readConfig(standaloneConfig, {})
const files = 4
const sentencesPerFile = 4_000
const withinMs = 600_000

type Pdf = { readonly name: string; readonly path: string; readonly bytes: Buffer; readonly pages: number }

const makePdfs = async (directory: string, count: number, sentences: number): Promise<readonly Pdf[]> => {
  await mkdir(directory, { recursive: true })
  const made: Pdf[] = []
  for (let seed = 1; seed <= count; seed += 1) {
    const { bytes, truth } = await createMaterial('pdf', seed, { sentences })
    const name = `${seed}.pdf`
    const path = join(directory, name)
    await writeFile(path, bytes)
    made.push({ name, path, bytes, pages: truth.pages ?? 0 })
  }
  return made
}

export const row: Row = {
  name: 'P14',
  what: 'pages of PDFs that become searchable per second, against the extractor alone on the same files',
  method: `${files} made PDFs with a text layer, of some three hundred pages each, all sent at once through pre-signed addresses to one process with the lexical embedder; from the first byte that is sent until the last file is \`completed\`, which is when its last chunk can be found: fetched, sniffed, extracted, cut, summed up, embedded, indexed, shown. Against the same extractor in a loop over the same files, its blocks dropped. ${fileConcurrency} files at once on both sides, a child process for each.`,
  figures: [
    { name: 'rate', unit: 'pages/s', digits: 1 },
    { name: 'seconds', unit: 's', digits: 1 },
    { name: 'pages', unit: 'pages', digits: 0 },
  ],
  marks: [{ what: 'pipeline ÷ extractor alone', figure: 'rate', sides: ['pipeline', 'extractor'], atLeast: 0.8 }],
  open: async (context) => {
    const { directory, quick } = context
    const pdfs = await makePdfs(join(directory, 'made'), quick ? 2 : files, quick ? 200 : sentencesPerFile)
    const pages = pdfs.reduce((sum, pdf) => sum + pdf.pages, 0)
    const product = await startProduct(context, { embedder: 'lexical' })
    const scratch = join(directory, 'extractor')
    await mkdir(scratch)
    const extractor = await startSubject('extractor', context, {
      scratch,
      memoryMegabytes: fileMemoryMegabytes,
    } satisfies ExtractorOptions)
    const timed = async (work: () => Promise<unknown>): Promise<Measured> => {
      const from = performance.now()
      await work()
      const seconds = (performance.now() - from) / 1_000
      return { rate: pages / seconds, seconds, pages }
    }
    let round = 0
    const ingest = async () => {
      round += 1
      await Promise.all(
        pdfs.map(async ({ name, bytes }) => {
          const own = `${round}/${name}`
          await sendFile(product, product.namespace, own, {
            sizeBytes: bytes.length,
            body: () => Readable.from([bytes]),
          })
          await untilCompleted(product, product.namespace, own, withinMs)
        }),
      )
    }
    const load: ExtractorLoad = { paths: pdfs.map(({ path }) => path), concurrency: fileConcurrency }
    return {
      sides: [
        { name: 'pipeline', round: () => timed(ingest) },
        { name: 'extractor', round: () => timed(() => extractor.ask<number>('read', load)) },
      ],
      close: async () => {
        await product.subject.close()
        await extractor.close()
      },
    }
  },
}
