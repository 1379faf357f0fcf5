import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Cairn } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { announce, namespaceOn } from './announce.ts'
import type { Command, Context, Input, Option } from './command.ts'
import { confirm } from './confirm.ts'
import { createProgress } from './demo/progress.ts'
import { duration } from './duration.ts'
import { fileMemory } from './edge/file-memory.ts'
import { httpEdgeStore } from './edge/http-store.ts'
import { importExport } from './edge/import-export.ts'
import { namespaceSource } from './edge/namespace-source.ts'
import type { EdgeEmbedder } from './edge/port.ts'
import type { OnOthers } from './edge/prepare-store.ts'
import { pull } from './edge/pull.ts'
import { keyOption } from './namespaces.ts'
import { checkUrl } from './settings.ts'

const defaultEdge = 'http://localhost:8080'
/** Retries while the server loads its model. */
const giveUpAfterMs = 5 * 60_000
const pollEveryMs = 250

const edgeOption: Option = {
  type: 'string',
  value: 'address',
  description: `The edge store. Default: CAIRN_EDGE_URL, else ${defaultEdge}.`,
}
const othersOptions = {
  merge: { type: 'boolean', description: 'Keep items of the store that come from elsewhere.' },
  replace: {
    type: 'boolean',
    description: 'Empty the store first if it has items from elsewhere or of another model.',
  },
  yes: { type: 'boolean', description: 'With --replace: do not ask for confirmation; required without a terminal.' },
} as const satisfies Record<string, Option>

/** Other data may belong to somebody else, or to another program on the same port. */
const onOthersOf = (input: Input): OnOthers => {
  const [merge, replace] = [input.flag('merge'), input.flag('replace')]
  if (merge && replace) throw new AppError('invalid', 'Use --merge or --replace, not both')
  return merge ? 'merge' : replace ? 'replace' : 'refuse'
}

const confirmReplace = async (context: Context, input: Input, url: string): Promise<void> => {
  if (!input.flag('replace')) return
  await confirm(context, input, {
    what: 'empty the edge store if it has other items',
    where: url,
    name: new URL(url).host,
  })
}

const notes = [
  'This command embeds the texts, by the model that CAIRN_EMBEDDER names (local, openai or lexical, with the settings of the services).',
  'Questions to the store must be embedded by the same model; GET /health of the store names it.',
  'If the store has a key, set CAIRN_EDGE_KEY or CAIRN_EDGE_KEY_FILE.',
]

const edgeUrl = ({ settings }: Context, input: Input): string =>
  checkUrl(input.text('edge') || settings.env['CAIRN_EDGE_URL'] || defaultEdge)

const storeAt = ({ settings, signal }: Context, url: string) => httpEdgeStore({ url, key: settings.edgeKey, signal })

/** Returns by default a file per store in the data directory. */
const stateFile = ({ settings }: Context, input: Input, url: string): string =>
  input.text('state') ||
  join(settings.dataDir, 'edge-pull', `${encodeURIComponent(url.replace(/^https?:\/\//, ''))}.json`)

const withEmbedder = async <T>(
  { embedder: open, note, isTerminal }: Context,
  use: (embedder: EdgeEmbedder, onProgress: (done: number, total: number) => void) => Promise<T>,
) => {
  const embedder = await open()
  const progress = createProgress({ write: note, isTerminal, now: () => performance.now() })
  try {
    const result = await use(embedder, (done, total) => progress.show(done, total))
    return { result, model: embedder.model.model, seconds: progress.seconds() }
  } finally {
    progress.end()
    await embedder.close()
  }
}

const pullCommand: Command = {
  name: 'edge pull',
  summary: 'Fill an edge store from a text namespace, and later bring it up to date',
  arguments: [{ name: 'namespace', description: 'The text namespace.' }],
  options: {
    edge: edgeOption,
    ...othersOptions,
    key: keyOption,
    state: {
      type: 'string',
      value: 'file',
      description: 'A file that records what was pulled. Default: edge-pull/<edge store>.json in CAIRN_DATA_DIR.',
    },
  },
  notes: [
    'Fetches only what has changed since the last pull, and removes what was deleted from the namespace. An interrupted pull can be repeated.',
    'Refuses a store with items that are not known to be from the namespace, unless --merge or --replace is given.',
    ...notes,
  ],
  run: async (context, input) => {
    const { settings, signal, print, note } = context
    const url = edgeUrl(context, input)
    const apiKey = input.text('key') ?? settings.apiKey()
    // The source retries by itself.
    const cairn = new Cairn({ url: settings.url, apiKey, retries: 0 })
    const patience = { giveUpAfterMs, pollEveryMs, signal }
    const source = namespaceSource(cairn, settings.url, input.argument('namespace'), patience)
    const memory = fileMemory(stateFile(context, input, url))
    const onOthers = onOthersOf(input)
    announce(context, namespaceOn(context, input.argument('namespace')), `edge store ${url}`)
    await confirmReplace(context, input, url)
    const { result, model, seconds } = await withEmbedder(context, (embedder, onProgress) =>
      pull({ source, store: storeAt(context, url), embedder, memory, onOthers, signal, onProgress }),
    )
    const { items, transferred, unchanged, removed, uploaded, skipped } = result
    print(
      `${items} items: ${transferred} fetched, ${unchanged} unchanged, ${removed} removed; ${uploaded} chunks sent to ${url} in ${duration(seconds)}.\n`,
    )
    if (skipped.length > 0)
      note(`${skipped.length} items skipped: their ids are too long for an edge store, or begin or end with a blank\n`)
    return { data: { namespace: input.argument('namespace'), edge: url, model, ...result, seconds } }
  },
}

const readExport = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new AppError(
      'invalid',
      code === undefined ? `The file ${file} is not JSON` : `The file ${file} can't be read (${code})`,
      {
        cause,
      },
    )
  }
}

const importCommand: Command = {
  name: 'edge import',
  summary: 'Import the export of a text edge store',
  arguments: [{ name: 'file', description: 'The response of GET /export.' }],
  options: { edge: edgeOption, ...othersOptions },
  notes: [
    'Ids come from the [meta] block that every text must have. Refuses a store with items of other ids, unless --merge or --replace is given.',
    ...notes,
  ],
  run: async (context, input) => {
    const url = edgeUrl(context, input)
    const exported = readExport(input.argument('file'))
    const [onOthers, { signal, note }] = [onOthersOf(input), context]
    announce(context, input.argument('file'), `edge store ${url}`)
    await confirmReplace(context, input, url)
    const { result, model, seconds } = await withEmbedder(context, (embedder, onProgress) =>
      importExport({ store: storeAt(context, url), embedder, exported, onOthers, signal, onProgress }),
    )
    context.print(`${result.uploaded} chunks sent to ${url} in ${duration(seconds)}.\n`)
    if (result.formerModel !== null && result.formerModel !== model)
      note(`Embedded again with ${model}; the exported store used ${result.formerModel}\n`)
    return { data: { edge: url, model, ...result, seconds } }
  },
}

export const edgeCommands: readonly Command[] = [pullCommand, importCommand]
