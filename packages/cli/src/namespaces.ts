import type { Cairn, Namespace } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Command, Input, Option } from './command.ts'
import { confirm, yesOption } from './confirm.ts'
import { numberOf } from './number-of.ts'
import { table } from './table.ts'

const list: Command = {
  name: 'ns list',
  summary: 'List the namespaces',
  run: async ({ cairn, print, signal }) => {
    const namespaces = await cairn().namespaces.list({ signal })
    print(
      table<Namespace>(
        [
          { title: 'NAMESPACE', value: ({ namespace_name }) => namespace_name },
          { title: 'TYPE', value: ({ type }) => type },
          { title: 'MODEL', value: ({ model }) => model },
          { title: 'DIMENSIONS', value: ({ vector_dimension }) => vector_dimension, right: true },
          { title: 'ITEMS', value: ({ item_count }) => item_count, right: true },
          { title: 'CREATED', value: ({ created_at }) => created_at },
        ],
        namespaces,
      ),
    )
    return { data: { namespaces } }
  },
}

const create: Command = {
  name: 'ns create',
  summary: 'Create a text or vector namespace',
  arguments: [{ name: 'namespace', description: 'Its name.' }],
  options: {
    vector: { type: 'string', value: 'dimensions', description: 'Create a vector namespace of this dimension.' },
    model: { type: 'string', value: 'model', description: 'The embedding model. Default: that of the server.' },
    language: { type: 'string', value: 'language', description: 'Language of the texts, such as de. Default: en.' },
  },
  examples: ['cairn ns create handbook', 'cairn ns create aufgaben --language de', 'cairn ns create points --vector 3'],
  run: async ({ cairn, print, signal }, input) => {
    const name = input.argument('namespace')
    const [vector, model, language] = [numberOf(input, 'vector'), input.text('model'), input.text('language')]
    if (vector !== undefined && (model !== undefined || language !== undefined))
      throw new AppError('invalid', '--model and --language are for text namespaces only')
    const kind =
      vector === undefined
        ? { type: 'text' as const, ...(model && { model }), ...(language && { language: language as never }) }
        : { type: 'vector' as const, vector_dimension: vector }
    const data = await cairn().namespaces.create(name, kind, { signal })
    print(`${data.message}\n`)
    return { data }
  },
}

const remove: Command = {
  name: 'ns delete',
  summary: 'Delete a namespace with everything in it',
  arguments: [{ name: 'namespace', description: 'Its name.' }],
  options: {
    yes: yesOption,
    wait: { type: 'boolean', description: 'Wait until its name is free again.' },
  },
  run: async (context, input) => {
    const { cairn, print, signal } = context
    const name = input.argument('namespace')
    const client = cairn()
    const details = async () => {
      const namespace = await client.namespaces.get(name, { signal })
      if (!namespace) throw new AppError('notFound', `There is no namespace "${name}"`)
      return ` with its ${namespace.item_count} items`
    }
    await confirm(context, input, { what: `delete the namespace "${name}"`, details, name })
    const data = await client.namespaces.delete(name, { signal })
    if (!input.flag('wait')) {
      print(`${data.message}\n`)
      return { data }
    }
    const deletion = await client.waitFor.deletion(data.deletion_id, { signal })
    if (deletion.state === 'failed') return { data: deletion, failed: `The deletion of "${name}" failed` }
    print(`Namespace "${name}" is deleted\n`)
    return { data: { ...data, status: 'deleted' } }
  },
}

export const inOption: Option = {
  type: 'string',
  value: 'namespace',
  multiple: true,
  description: 'A namespace. Default: all text namespaces of the account.',
}

export const keyOption: Option = {
  type: 'string',
  value: 'key',
  description: 'The API key, in place of that of the environment, the profile or CAIRN_DATA_DIR.',
}

/** Returns every text namespace of the account without `--in`. */
export const chosenNamespaces = async (cairn: Cairn, input: Input, signal: AbortSignal): Promise<readonly string[]> => {
  const chosen = [...input.texts('in')]
  if (chosen.length > 0) return chosen
  const texts = (await cairn.namespaces.list({ signal })).filter(({ type }) => type === 'text')
  if (texts.length === 0)
    throw new AppError('notFound', 'There is no text namespace yet; create one with: cairn ns create <namespace>')
  return texts.map(({ namespace_name }) => namespace_name)
}

export const namespaceCommands: readonly Command[] = [list, create, remove]
