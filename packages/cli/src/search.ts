import { type Filter, filePartOf, type Hit, type Search } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { Command, Input, Option } from './command.ts'
import { chosenNamespaces, inOption } from './namespaces.ts'
import { numberOf } from './number-of.ts'
import { type Column, cut, printable, table } from './table.ts'

const excerptLength = 80

const excerpt = (text: string): string => cut(printable(text).trim(), excerptLength)

type Found = Pick<Hit, 'score' | 'id' | 'metadata' | 'text'>
const inNamespace: Column<Pick<Hit, 'namespace'>> = { title: 'NAMESPACE', value: ({ namespace }) => namespace }
const score: Column<Found> = { title: 'SCORE', value: ({ score }) => score.toFixed(3), right: true }
/** A part of a file is named by its place in words, other documents by their ids. */
const sourceAndText: readonly Column<Found>[] = [
  { title: 'SOURCE', value: (item) => filePartOf(item)?.text ?? item.id },
  { title: 'TEXT', value: ({ text }) => excerpt(text), long: true },
]

const topOption: Option = {
  type: 'string',
  value: 'number',
  description: `Number of results, 1 to ${limits.topK}. Default: 10.`,
}
export const filterOption: Option = {
  type: 'string',
  value: 'json',
  description: 'A filter on metadata, such as \'{"key":"year","gte":2020}\'.',
}

const topOf = (input: Input): { readonly top_k?: number } => {
  const top = numberOf(input, 'top', limits.topK)
  return top === undefined ? {} : { top_k: top }
}

export const filterOf = (input: Input): { readonly filter?: Filter } => {
  const text = input.text('filter')
  if (text === undefined) return {}
  try {
    return { filter: JSON.parse(text) as Filter }
  } catch {
    throw new AppError('invalid', '--filter must be JSON')
  }
}

export const searchCommand: Command = {
  name: 'search',
  summary: 'Search namespaces by meaning and by words',
  arguments: [{ name: 'query', description: 'The query; it may end in #key:value and #word.' }],
  options: {
    in: inOption,
    top: topOption,
    filter: filterOption,
    mode: { type: 'string', value: 'mode', description: 'hybrid, semantic or lexical.' },
  },
  examples: [
    'cairn search "how is a scanned page read?" --in handbook --top 3',
    `cairn search "a walk" --filter '{"key":"year","gte":2020}' --json=id,score`,
  ],
  run: async ({ cairn, print, width, signal }, input) => {
    const client = cairn()
    const mode = input.text('mode')
    const data = await client.search(
      {
        query: input.argument('query'),
        namespaces: [...(await chosenNamespaces(client, input, signal))],
        ...topOf(input),
        ...filterOf(input),
        ...(mode === undefined ? {} : { mode: mode as NonNullable<Search['mode']> }),
      },
      { signal },
    )
    print(table([score, inNamespace, ...sourceAndText], data.results, width))
    return { data }
  },
}

export const askCommand: Command = {
  name: 'ask',
  summary: 'Answer a question from namespaces',
  arguments: [{ name: 'question', description: 'The question.' }],
  options: {
    in: inOption,
    top: topOption,
    filter: filterOption,
    model: { type: 'string', value: 'model', description: 'Id of an answering model. Default: that of the server.' },
  },
  examples: ['cairn ask "How soon is a revoked key refused?" --in handbook --in runbooks'],
  run: async ({ cairn, print, width, signal }, input) => {
    const namespaces = [...input.texts('in')]
    const model = input.text('model')
    const question = {
      query: input.argument('question'),
      ...(namespaces.length > 0 && { namespaces }),
      ...filterOf(input),
      ...topOf(input),
      ...(model === undefined ? {} : { ai_model: model }),
    }
    for await (const event of cairn().answerStream(question, { signal })) {
      if (event.event === 'token') print(event.delta)
      if (event.event !== 'done') continue
      print('\n')
      const columns = namespaces.length === 1 ? [score, ...sourceAndText] : [score, inNamespace, ...sourceAndText]
      if (event.sources.length > 0) print(`\n${table(columns, event.sources, width)}`)
      const { event: _, ...data } = event
      return { data }
    }
    throw new AppError('internal', 'The answer was interrupted')
  },
}
