#!/usr/bin/env node
import { AppError } from '@cairn/contracts/errors'
import { runProcess } from './process.ts'

/** Only commands that embed texts load the models' libraries. */
const openEmbedder = async () => {
  const [{ configuredEmbedders }, { systemClock }, { embedderConfig, embedderRule }, { readConfig }, { object }] =
    await Promise.all([
      import('@cairn/adapters/embedder/configured'),
      import('@cairn/adapters/clock/system'),
      import('@cairn/runtime/config/embedder-config'),
      import('@cairn/runtime/config/config'),
      import('zod'),
    ])
  const all = configuredEmbedders(readConfig(object(embedderConfig), process.env, [embedderRule]), systemClock())
  // No fallback model: one store can't hold vectors of two models.
  const current = all.current()
  await current.settled()
  const status = current.status()
  if (status.state === 'ready') return { ...current, close: () => all.close() }
  await all.close()
  throw new AppError('unavailable', `The model ${current.model.model} can't be loaded: ${status.detail}`)
}

await runProcess({
  embedder: openEmbedder,
  reader: async () => (await import('@cairn/extract/child/run-extractor')).runExtractor,
})
