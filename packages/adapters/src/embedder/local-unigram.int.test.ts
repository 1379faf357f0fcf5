import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { multilingualModel } from '@cairn/contracts/text/multilingual-model'
import { tinyEmbedder, writeTinyEmbedder } from '@cairn/testing/tiny-embedder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../clock/system.ts'
import { localEmbedder } from './local.ts'
import { localModels } from './model/local-models.ts'
import { embedderContract } from './port.contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'))
beforeAll(() => writeTinyEmbedder(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { dimension, pooling, prefixes, references } = tinyEmbedder
const model = localModels[multilingualModel]
const open = () =>
  localEmbedder({
    model: { ...model, dimension },
    weights: undefined,
    resolveModel: async () => folder,
    clock: systemClock(),
    workers: 1,
  })

describe('local embedder with Unigram tokens', () => {
  embedderContract({ open, lacks: {} })

  it('gives the vectors of the original for queries and documents', async () => {
    expect(model).toMatchObject({ pooling, prefixes })
    const embedder = open()
    await embedder.settled()
    const texts = references.map(({ text }) => text)
    for (const kind of ['query', 'document'] as const) {
      const vectors = await embedder.embed(texts, { kind })
      for (const [index, vector] of vectors.entries())
        for (const [d, value] of vector.entries()) expect(value).toBeCloseTo(references[index]?.[kind][d] ?? 2, 5)
    }
    await embedder.close()
  })
})
