import { type Language, quoted } from '../snippets.ts'

const steps = [
  ['/v1/namespaces', { namespace_name: 'notes', type: 'text' }],
  [
    '/v1/namespaces/notes/documents',
    {
      documents: [
        { id: '1', text: 'A cairn is a pile of stones that marks a path.' },
        { id: '2', text: 'Lighthouses guide ships at night.' },
      ],
    },
  ],
  ['/v1/search', { query: 'what shows hikers the way?', namespaces: ['notes'], top_k: 1 }],
] as const

const waiting = 'Documents are searchable within seconds.'

/** Formats a body with one line for each document. */
const compact = (body: object): string => JSON.stringify(body).replaceAll(/(?<=[[,]){/g, '\n    {')

const curl = (url: string, key: string): string =>
  [
    `CAIRN_API_KEY=${quoted(key)}`,
    ...steps.flatMap(([path, body], index) => [
      ...(index === steps.length - 1 ? [`sleep 3  # ${waiting}`] : []),
      `curl ${url}${path} -H "x-api-key: $CAIRN_API_KEY" \\`,
      `  -H 'content-type: application/json' \\`,
      `  -d ${quoted(compact(body))}`,
    ]),
  ].join('\n')

const typescript = (url: string, key: string): string => {
  const calls = steps.map(([path, body]) => `call('${path}', ${compact(body)})`)
  return `const call = async (path: string, body: object) => {
  const response = await fetch(\`${url}\${path}\`, {
    method: 'POST',
    headers: { 'x-api-key': ${JSON.stringify(key)}, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

await ${calls[0]}
await ${calls[1]}
// ${waiting}
await new Promise((resolve) => setTimeout(resolve, 3_000))
console.log(await ${calls[2]})`
}

const python = (url: string, key: string): string => {
  const calls = steps.map(([path, body]) => `call("${path}", ${compact(body)})`)
  return `import json, time, urllib.request

def call(path, body):
    request = urllib.request.Request(
        "${url}" + path,
        data=json.dumps(body).encode(),
        headers={"x-api-key": ${JSON.stringify(key)}, "content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)

${calls[0]}
${calls[1]}
time.sleep(3)  # ${waiting}
print(${calls[2]})`
}

const programs: Readonly<Record<Language, (url: string, key: string) => string>> = {
  curl,
  TypeScript: typescript,
  Python: python,
}

export const quickStart = (language: Language, url: string, key: string): string => programs[language](url, key)
