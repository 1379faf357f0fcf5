// node e2e/upgrade/main.ts FOLDER [one-process]: writes what this version stores, in both modes or in one, as SQL and JSON text. Both
// need the engines of a cluster.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { mongodbStore } from '@cairn/adapters/store/mongodb'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { engineSettings, startClusterTarget } from '../cluster-target.ts'
import { startStandalone } from '../target.ts'
import { clusterText, filesAt, placesOf, recordingQdrant } from './cluster-text.ts'
import { fill, leaveWork } from './content.ts'
import { sqliteText } from './sqlite-text.ts'

const [folder, mode] = process.argv.slice(2)
if (folder === undefined) throw new Error('node e2e/upgrade/main.ts FOLDER [one-process]')

/** Formats JSON with one line for each value of the third level. */
const lines = (value: unknown, level = 0): string => {
  if (level === 3 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((one) => lines(one, level + 1))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${lines(one, level + 1)}`)
  return `${open}\n${parts.join(',\n')}\n${close}`
}
const json = (value: unknown) => `${lines(value)}\n`

const writeOneProcess = async (into: string) => {
  const target = await startStandalone()
  try {
    const content = await fill(target)
    if ((await target.end()) !== 0) throw new Error(`the process did not end in order: ${target.logs()}`)
    const store = sqliteStore({ file: join(target.dataDir, 'metadata.db') })
    await leaveWork(store)
    await store.close()
    mkdirSync(into, { recursive: true })
    const paths = readdirSync(target.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(target.dataDir, join(entry.parentPath, entry.name)))
    for (const path of paths.filter((one) => one.endsWith('.db'))) {
      mkdirSync(dirname(join(into, path)), { recursive: true })
      writeFileSync(join(into, `${path}.sql`), sqliteText(join(target.dataDir, path)))
    }
    // The remaining files are text: keys, the secret and the stored object.
    const texts = paths.filter((path) => !/\.db(-\w+)?$|^(lock|holder|reserve|address)/.test(path))
    writeFileSync(
      join(into, 'files.json'),
      json(Object.fromEntries(texts.map((path) => [path, readFileSync(join(target.dataDir, path), 'utf8')]))),
    )
    writeFileSync(join(into, 'content.json'), json(content))
  } finally {
    await target.stop()
  }
}

const writeCluster = async (into: string) => {
  const engines = await engineSettings()
  const prefix = `material-${process.pid}-`
  const qdrant = await recordingQdrant(engines['CAIRN_QDRANT_URL'] ?? '', prefix)
  const target = await startClusterTarget({ env: { CAIRN_QDRANT_URL: qdrant.url, CAIRN_QDRANT_PREFIX: prefix } })
  const { mongodbUrl, database } = placesOf(target.env)
  try {
    const content = await fill(target)
    await target.stop()
    const store = mongodbStore({ url: mongodbUrl, database })
    await leaveWork(store)
    await store.close()
    const files = filesAt(target.env)
    mkdirSync(into, { recursive: true })
    writeFileSync(join(into, 'stores.json'), json(await clusterText({ mongodbUrl, database }, files, qdrant.writes)))
    await files.close()
    writeFileSync(join(into, 'content.json'), json({ ...content, secret: target.env['CAIRN_SECRET'] }))
  } finally {
    await target.stop()
    await qdrant.close()
  }
}

await writeOneProcess(join(folder, 'one-process'))
if (mode !== 'one-process') await writeCluster(join(folder, 'cluster'))
