import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock } from '@cairn/testing/manual-clock'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { configuredEmbedders, type EmbedderSettings } from './configured.ts'
import { modelFiles } from './model/local-models.ts'

const fill = (cacheDir: string, name: string): string => {
  const dir = join(cacheDir, 'models', name)
  mkdirSync(join(dir, 'onnx'), { recursive: true })
  for (const file of modelFiles) writeFileSync(join(dir, file), 'not a model')
  return dir
}
const settings = (some: Partial<EmbedderSettings>): EmbedderSettings => ({
  embedder: 'local',
  localModel: 'all-MiniLM-L6-v2',
  openaiMaxTokens: 512,
  openaiBatchSize: 1,
  openaiTimeoutMs: 1_000,
  mavenUrl: 'http://127.0.0.1:9',
  ...some,
})
const open = (some: Partial<EmbedderSettings>) =>
  configuredEmbedders(settings({ embedderWorkers: 1, ...some }), createManualClock().clock)

it('gives each weights file and each model an identity of its own', async () => {
  const [one, two] = [fill(temporaryDirectory(), 'x'), fill(temporaryDirectory(), 'x')]
  writeFileSync(join(two, 'onnx/model_quantized.onnx'), 'another model')
  const identity = async (some: Partial<EmbedderSettings>) => {
    const all = open({ cacheDir: temporaryDirectory(), ...some })
    const { model } = all.current()
    await all.close()
    return JSON.stringify(model)
  }
  const identities = [
    await identity({}),
    await identity({ modelDir: one }),
    await identity({ modelDir: two }),
    await identity({ localModel: 'bge-small-en-v1.5' }),
    await identity({ localModel: 'e5-small-v2' }),
  ]
  expect(new Set(identities).size).toBe(identities.length)
  expect(await identity({ modelDir: one })).toBe(identities[1])
})

it('offers further models, which are opened on first use', async () => {
  const cacheDir = temporaryDirectory()
  const all = open({ cacheDir, embedder: 'lexical', localModels: ['bge-small-zh-v1.5', 'bge-small-zh-v1.5'] })
  expect(all.names()).toEqual(['lexical', 'bge-small-zh-v1.5'])
  const chosen = all.named('bge-small-zh-v1.5')
  expect(chosen?.model).toMatchObject({ provider: 'local', dimension: 512 })
  expect(chosen && all.of(chosen.model)).toBe(chosen)
  await all.close()
  expect(readdirSync(cacheDir)).toEqual([])
  const same = open({ cacheDir, localModels: ['all-MiniLM-L6-v2', 'e5-small-v2'] })
  expect(same.names()).toEqual(['all-MiniLM-L6-v2', 'lexical', 'e5-small-v2'])
  await same.close()
})
