import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultCacheDir } from '@cairn/adapters/embedder/model/cache-dir'
import { localModelNames, missingFiles } from '@cairn/adapters/embedder/model/local-models'
import { newIds, sendDocuments, untilIndexed } from './harness/documents.ts'
import { createNamespace } from './harness/namespaces.ts'
import { type Product, startProduct } from './harness/product.ts'
import type { Row } from './harness/row.ts'
import { nextId } from './harness/upload-request.ts'
import type { Embedded, Model } from './subjects/product.ts'

const indexedWithinMs = 300_000
/** About 200 tokens of English prose: one passage. */
const characters = 800

const hasModel = (): boolean => {
  const { CAIRN_MODEL_DIR: given, CAIRN_CACHE_DIR: cache = defaultCacheDir() } = process.env
  if (given) return missingFiles(given).length === 0
  const models = join(cache, 'models')
  const kept = existsSync(models) ? readdirSync(models).filter((name) => name.startsWith(`${localModelNames[0]}@`)) : []
  return kept.some((name) => missingFiles(join(models, name)).length === 0)
}

/** Returns excerpts from the READMEs of installed packages. */
const texts = (count: number): string[] => {
  const root = join(import.meta.dirname, '../node_modules')
  const found: string[] = []
  for (const name of readdirSync(root).sort()) {
    const file = join(root, name, 'README.md')
    if (!existsSync(file)) continue
    const text = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ').toWellFormed()
    for (let from = 0; from + characters <= text.length && from < 8 * characters; from += characters) {
      found.push(text.slice(from, from + characters))
    }
  }
  return found.slice(0, count)
}

/**
 * Uploads all texts to a new namespace, which has no vectors of them yet; resolves to the seconds until all are
 * indexed.
 */
const indexAll = async (started: Product, all: readonly string[]): Promise<number> => {
  const product = { ...started, namespace: nextId() }
  await createNamespace(product, product.namespace)
  const from = performance.now()
  const uploads = await sendDocuments(product, newIds(all.length), (_, index) => ({ text: all[index] }))
  await untilIndexed(product, uploads, { withinMs: indexedWithinMs })
  return (performance.now() - from) / 1_000
}

export const row: Row = {
  name: 'P7',
  what: 'text documents indexed through the product, against the local model alone',
  method: `Pieces of ${characters} characters of README files, one passage each, in uploads of 100, from the first request until all are indexed; against the same embedder, in the same process with the same threads, given all of the texts in one call.`,
  figures: [{ name: 'rate', unit: 'documents/s', digits: 1 }],
  marks: [{ what: 'product ÷ model alone', figure: 'rate', sides: ['product', 'model alone'], atLeast: 0.9 }],
  missing: async () => (hasModel() ? undefined : 'there is no model on this machine (`npm run model` gets it)'),
  open: async (context) => {
    const product = await startProduct(context, { embedder: 'local' })
    const { state, maxTokens } = await product.subject.ask<Model>('model')
    if (state !== 'ready') throw new Error('the model could not be loaded')
    const candidates = texts(context.quick ? 100 : 600)
    const lengths = await product.subject.ask<number[]>('tokens', candidates)
    const all = candidates
      .filter((_, index) => (lengths[index] as number) <= maxTokens)
      .slice(0, context.quick ? 50 : 400)
    return {
      sides: [
        { name: 'product', round: async () => ({ rate: all.length / (await indexAll(product, all)) }) },
        {
          name: 'model alone',
          round: async () => {
            const { passages, seconds } = await product.subject.ask<Embedded>('embed', all)
            return { rate: passages / seconds }
          },
        },
      ],
      close: product.subject.close,
    }
  },
}
