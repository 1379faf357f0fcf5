export type Language = 'curl' | 'TypeScript' | 'Python'
export const languages: readonly Language[] = ['curl', 'TypeScript', 'Python']

const json = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`)

/** Quotes a text for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** JSON strings are valid in Python; true, false and null are not. */
const python = (value: unknown, indent: number): string => {
  const pad = ' '.repeat(indent + 4)
  const end = `\n${' '.repeat(indent)}`
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((each) => python(each, indent)).join(', ')}]`
  if (typeof value === 'object') {
    const rows = Object.entries(value).map(
      ([name, each]) => `\n${pad}${JSON.stringify(name)}: ${python(each, indent + 4)},`,
    )
    return `{${rows.join('')}${end}}`
  }
  return JSON.stringify(value)
}

/** Returns a program that reads the key from an environment variable; it never includes the key itself. */
export const snippet = (
  language: Language,
  path: string,
  body: Readonly<Record<string, unknown>>,
  origin: string,
): string => {
  if (language === 'curl')
    return [
      `curl -H "x-api-key: $CAIRN_API_KEY" -H 'content-type: application/json' ${origin}${path} \\`,
      `  -d ${quoted(JSON.stringify(body))}`,
    ].join('\n')
  if (language === 'TypeScript')
    return [
      `const response = await fetch('${origin}${path}', {`,
      `  method: 'POST',`,
      `  headers: { 'x-api-key': process.env.CAIRN_API_KEY!, 'content-type': 'application/json' },`,
      `  body: JSON.stringify(${json(body, 2)}),`,
      `})`,
      `if (!response.ok) throw new Error(await response.text())`,
      `console.log(await response.json())`,
    ].join('\n')
  return [
    `import json, os, urllib.request`,
    ``,
    `request = urllib.request.Request(`,
    `    "${origin}${path}",`,
    `    data=json.dumps(${python(body, 4)}).encode(),`,
    `    headers={"x-api-key": os.environ["CAIRN_API_KEY"], "content-type": "application/json"},`,
    `)`,
    `with urllib.request.urlopen(request) as response:`,
    `    print(json.load(response))`,
  ].join('\n')
}
