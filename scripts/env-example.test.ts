import { readFileSync } from 'node:fs'
import { deletionConfig } from '@cairn/deletion/config'
import { edgeConfig } from '@cairn/edge/config'
import { filePipelineConfig } from '@cairn/file-pipeline/config'
import { gatewayProcessConfig } from '@cairn/gateway/process-config'
import { ingestionConfig } from '@cairn/ingestion/config'
import { namespaceConfig } from '@cairn/namespace/config'
import { environmentNames, readConfig } from '@cairn/runtime/config/config'
import { setupConfig } from '@cairn/setup/config'
import { standaloneConfig } from '@cairn/standalone/config'
import { expect, it } from 'vitest'

const configs: Readonly<Record<string, Parameters<typeof environmentNames>[0]>> = {
  standalone: standaloneConfig,
  gateway: gatewayProcessConfig,
  ingestion: ingestionConfig,
  namespace: namespaceConfig,
  deletion: deletionConfig,
  'file-pipeline': filePipelineConfig,
  setup: setupConfig,
  edge: edgeConfig,
}
/** Settings of the command and the demo, which have no configuration schema. */
const ofTheCommand = ['CAIRN_URL', 'CAIRN_API_KEY', 'CAIRN_API_KEY_FILE']
const required = { CAIRN_SECRET: 'A8fL0qPz7Rk2VnX4bT6yUw1sHc3JmE5g' }

const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
const entries = [...example.matchAll(/^(#?)([A-Z0-9_]+)=(.*)$/gm)].map(([, off = '', name = '', value = '']) => ({
  off: off !== '',
  name,
  value,
}))

it('lists every setting of every process once, and nothing that is no setting', () => {
  const settings = new Set([...Object.values(configs).flatMap(environmentNames), ...ofTheCommand])
  expect(entries.map(({ name }) => name).sort()).toEqual([...settings].sort())
})

it('sets nothing as it is', () => {
  expect(entries.filter(({ off }) => !off)).toEqual([])
})

it.each(Object.entries(configs))('says the defaults of %s', (name, config) => {
  // The file has the default log level of the single process. Setup has no log level; all other processes default to
  // `info`.
  const level = name === 'standalone' || name === 'setup' ? {} : { CAIRN_LOG_LEVEL: 'info' }
  // The file states this exception next to the setting.
  const own = name === 'edge' ? { PORT: '8080' } : {}
  const said = Object.fromEntries(entries.filter(({ value }) => value !== '').map((entry) => [entry.name, entry.value]))
  expect(readConfig(config, { ...said, ...required, ...level, ...own })).toEqual(readConfig(config, required))
})
