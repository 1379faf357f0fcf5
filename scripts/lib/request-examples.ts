/** A request of the HTTP API as a page shows it: as an `http` block or as one `curl` command. */
export type ShownRequest = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** Path of a file that a form sends, in place of a body. */
  readonly file?: string
}

export type Example = { readonly label: string; readonly language: 'sh' | 'ts' | 'python'; readonly code: string }

const server = 'http://localhost:3000'
const apiKeyHeader = `-H "x-api-key: $CAIRN_API_KEY"`
const jsonHeader = "-H 'content-type: application/json'"

/** Returns the request of an `http` block; undefined if it has none or its body is not JSON. */
export const requestOfHttp = (code: string): ShownRequest | undefined => {
  const [head = '', ...rest] = code.trim().split('\n')
  const [, method, path] = /^(GET|POST|PUT|DELETE) (\/\S*)$/.exec(head.trim()) ?? []
  if (method === undefined || path === undefined) return undefined
  const body = rest.join('\n').trim()
  return body === '' ? { method, path } : { method, path, body: JSON.parse(body) }
}

/** Returns the request of a block that is one `curl` command with the API key; else undefined. */
export const requestOfCurl = (code: string): ShownRequest | undefined => {
  const command = code
    .trim()
    .replace(/\s*\\\n\s*/g, ' ')
    .replace(/^curl -N /, 'curl ')
  const start = `curl ${apiKeyHeader} `
  if (!command.startsWith(start)) return undefined
  const rest = command.slice(start.length)
  const [, path, body] =
    /^-H 'content-type: application\/json' http:\/\/localhost:3000(\/\S+) -d '([^']*)'$/.exec(rest) ?? []
  if (path !== undefined && body !== undefined) return { method: 'POST', path, body: JSON.parse(body) }
  const [, file, to] = /^-F file=@(\S+) http:\/\/localhost:3000(\/\S+)$/.exec(rest) ?? []
  if (file !== undefined && to !== undefined) return { method: 'POST', path: to, file }
  const [, read] = /^"?http:\/\/localhost:3000(\/[^\s"]+)"?$/.exec(rest) ?? []
  return read === undefined ? undefined : { method: 'GET', path: read }
}

/** Quotes a text for a shell. */
const quoted = (text: string): string => (/['"$`\\]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`)

const curlOf = ({ method, path, body, file }: ShownRequest): string => {
  if (file !== undefined) return `curl ${apiKeyHeader} -F file=@${file} ${server}${path}`
  if (body === undefined) return `curl ${method === 'GET' ? '' : `-X ${method} `}${apiKeyHeader} ${server}${path}`
  return `curl ${apiKeyHeader} ${jsonHeader} ${server}${path} \\\n  -d ${quoted(JSON.stringify(body))}`
}

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

/** Formats a value as a literal; `words` are true, false and null. */
const literal = (
  value: unknown,
  style: {
    readonly words: readonly [string, string, string]
    readonly key: (name: string) => string
    readonly space: string
    readonly tab: string
    readonly width: number
  },
): string => {
  if (typeof value === 'string') return JSON.stringify(value).replace(/^"([^"'\\]*)"$/, "'$1'")
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return style.words[value === true ? 0 : value === false ? 1 : 2]
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((each) => literal(each, style))]
    : ['{', '}', Object.entries(value).map(([name, each]) => `${style.key(name)}: ${literal(each, style)}`)]
  const space = open === '{' ? style.space : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length <= style.width && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${style.tab}${indent(part, style.tab)},\n`).join('')}${close}`
}
const typescript = {
  words: ['true', 'false', 'null'],
  key: (name: string) => (/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)),
  space: ' ',
  tab: '  ',
  width: 76,
} as const
const python = {
  words: ['True', 'False', 'None'],
  key: (name: string) => `'${name}'`,
  space: '',
  tab: '    ',
  width: 76,
} as const

const ts = (value: unknown): string => literal(value, typescript)

type Body = Readonly<Record<string, unknown>>

type Call = {
  readonly method?: 'GET'
  /** The first group is the namespace, the second what else the call takes from the path. */
  readonly path: RegExp
  /** The expression of the client, and what is done with its result. */
  readonly client: (body: Body, namespace: string, rest: string) => string
  /** Undefined: the command has no such call. */
  readonly command?: (body: Body, namespace: string, rest: string) => string | undefined
}
const namespaced = (rest: string) => new RegExp(`^/v1/namespaces/([^/]+)/${rest}$`)

const searchOptions = ({ top_k, filter, mode, ...rest }: Body): string | undefined => {
  const known = ['query', 'namespaces', 'namespace']
  if (Object.keys(rest).some((name) => !known.includes(name))) return undefined
  return [
    ...(top_k === undefined ? [] : [`--top ${top_k}`]),
    ...(mode === undefined ? [] : [`--mode ${mode}`]),
    ...(filter === undefined ? [] : [`--filter ${quoted(JSON.stringify(filter))}`]),
  ]
    .map((option) => ` ${option}`)
    .join('')
}

const calls: readonly Call[] = [
  {
    method: 'GET',
    path: /^\/v1\/namespaces$/,
    client: () => 'console.log(await cairn.namespaces.list())',
    command: () => 'ns list',
  },
  {
    path: /^\/v1\/namespaces$/,
    client: ({ namespace_name }) => `await cairn.namespaces.create(${ts(namespace_name)})`,
    command: ({ namespace_name }) => `ns create ${namespace_name}`,
  },
  {
    path: namespaced('documents'),
    client: ({ documents }, namespace) =>
      `const documents = ${ts(documents)}\nawait cairn.documents.upload(${ts(namespace)}, documents, { wait: true })`,
  },
  {
    path: namespaced('upload-file'),
    client: ({ file }, namespace) =>
      `const { file_name } = await cairn.files.upload(${ts(namespace)}, ${ts(file)})\nconsole.log(file_name)`,
    command: ({ file }, namespace) => `add ${file} --to ${namespace}`,
  },
  {
    method: 'GET',
    path: namespaced('files/([^/]+)/status(?:\\?wait=\\d+)?'),
    client: (_, namespace, file) =>
      `const { state, message } = await cairn.waitFor.file(${ts(namespace)}, ${ts(file)})\nconsole.log(state, message)`,
    command: (_, namespace, file) => `status ${namespace} ${file}`,
  },
  {
    path: namespaced('documents/fetch-text-data'),
    client: (body, namespace) =>
      `for await (const item of cairn.documents.page(${ts(namespace)}, ${ts(body)})) console.log(item.id)`,
  },
  {
    path: namespaced('documents/delete'),
    client: (body, namespace) => `console.log(await cairn.documents.delete(${ts(namespace)}, ${ts(body)}))`,
  },
  {
    path: /^\/v1\/search$/,
    client: (body) =>
      `const { results } = await cairn.search(${ts(body)})\nfor (const { id, score, text } of results) console.log(id, score, text)`,
    command: (body) => {
      const options = searchOptions(body)
      const namespaces = body['namespaces']
      if (options === undefined || !Array.isArray(namespaces) || namespaces.length !== 1) return undefined
      return `search ${quoted(String(body['query']))} --in ${namespaces[0]}${options}`
    },
  },
  {
    path: /^\/v1\/answer$/,
    client: ({ stream, ...body }) =>
      stream === true
        ? `for await (const event of cairn.answerStream(${ts(body)})) console.log(event)`
        : `const { answer, sources } = await cairn.answer(${ts(body)})\nconsole.log(answer, sources.length)`,
    command: (body) => {
      const options = searchOptions(body)
      return options === undefined
        ? undefined
        : `ask ${quoted(String(body['query']))} --in ${body['namespace']}${options}`
    },
  },
]

const typescriptOf = (expression: string): string =>
  `import { Cairn } from '@cairn/client'

const cairn = new Cairn({ url: '${server}', apiKey: process.env.CAIRN_API_KEY ?? '' })
${expression}`

const pythonOf = ({ method, path, body, file }: ShownRequest): string => {
  const isStream = (body as Body | undefined)?.['stream'] === true
  const options = [
    'headers=headers',
    ...(body === undefined ? [] : ['json=body']),
    ...(file === undefined ? [] : ["files={'file': file}"]),
    ...(isStream ? ['stream=True'] : []),
  ]
  return [
    'import os',
    'import requests',
    '',
    "headers = {'x-api-key': os.environ['CAIRN_API_KEY']}",
    ...(body === undefined ? [] : [`body = ${literal(body, python)}`]),
    ...(file === undefined ? [] : [`file = open('${file}', 'rb')`]),
    `response = requests.${method.toLowerCase()}('${server}${path}', ${options.join(', ')})`,
    'response.raise_for_status()',
    ...(isStream ? ['for line in response.iter_lines():', '    print(line.decode())'] : ['print(response.json())']),
  ].join('\n')
}

/** Returns a request in each language that has it; the first is curl. */
export const examplesOf = (request: ShownRequest): Example[] => {
  const { method, file } = request
  const body: Body = file === undefined ? ((request.body ?? {}) as Body) : { file }
  const call = calls.find(({ path, method: its = 'POST' }) => its === method && path.test(request.path))
  const [, namespace = '', rest = ''] = call?.path.exec(request.path) ?? []
  const expression = call?.client(body, namespace, rest)
  const command = call?.command?.(body, namespace, rest)
  return [
    { label: 'curl', language: 'sh', code: curlOf(request) },
    ...(expression === undefined
      ? []
      : [{ label: 'TypeScript', language: 'ts', code: typescriptOf(expression) } as const]),
    { label: 'Python', language: 'python', code: pythonOf(request) },
    ...(command === undefined
      ? []
      : [{ label: 'Command', language: 'sh', code: `npm run cairn -- ${command}` } as const]),
  ]
}
