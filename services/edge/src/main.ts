import { join } from 'node:path'
import { configuredAnswerer } from '@cairn/adapters/answerer/configured'
import { systemClock } from '@cairn/adapters/clock/system'
import { sqliteEdgeStore } from '@cairn/adapters/edge-store/sqlite'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { answererRule } from '@cairn/runtime/config/answerer-config'
import { readConfig } from '@cairn/runtime/config/config'
import { ownAddress, reachOf } from '@cairn/runtime/http/own-address'
import { runProcess } from '@cairn/runtime/process/lifecycle'
import { createLogger } from '@cairn/runtime/process/logger'
import { printError, runMain } from '@cairn/runtime/process/run-main'
import { edgeConfig, edgeRule } from './config.ts'
import { createEdgeService } from './service.ts'

await runMain(async () => {
  const config = readConfig(edgeConfig, process.env, [edgeRule, answererRule])
  const log = createLogger({ level: config.logLevel, name: 'edge', pretty: process.stdout.isTTY })
  const clock = systemClock()
  const lexical = lexicalEmbedder()
  const store = sqliteEdgeStore({ file: config.file ?? join(config.dataDir, 'edge.db'), maxItems: config.maxItems })
  const answerer = configuredAnswerer(config, clock)
  const edge = createEdgeService({ store, answerer, lexicalEmbedder: lexical, config, clock, log })
  await runProcess([edge], { closeAfter: [store], log, onFatal: printError })
  const listening = { host: config.host, port: edge.port() }
  log.info({ address: ownAddress(listening), openTo: reachOf(listening), port: edge.port() }, 'ready')
})
