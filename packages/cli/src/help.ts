import type { Command, CommandGroup, Option } from './command.ts'
import { exitCodes } from './exit-codes.ts'

export const commonOptions: Readonly<Record<string, Option>> = {
  url: {
    type: 'string',
    value: 'address',
    description:
      'Address of the server. Default: CAIRN_URL, else the profile, else the address in CAIRN_DATA_DIR, else http://localhost:3000.',
  },
  profile: {
    type: 'string',
    value: 'name',
    description: 'Profile of cairn login. Default: CAIRN_PROFILE, else default.',
  },
  json: { type: 'boolean', description: 'Print the result as JSON; --json=<field>,… only these fields of it.' },
  help: { type: 'boolean', short: 'h', description: 'Print this help.' },
}

export type Look = {
  /** Undefined: no terminal, where lines are not wrapped. */
  readonly width: number | undefined
  readonly heading: (text: string) => string
}

const minWrap = 20

/** Keeps longer words whole. */
const wrap = (text: string, width: number | undefined): readonly string[] => {
  if (width === undefined || width < minWrap) return [text]
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

const indented = (text: string, { width }: Look, indent = 2): string =>
  wrap(text, width && width - indent - 2)
    .map((line, index) => `${' '.repeat(index === 0 ? indent : indent + 2)}${line}\n`)
    .join('')

const columns = (lines: readonly (readonly [string, string])[], { width }: Look): string => {
  const left = Math.max(...lines.map(([name]) => name.length))
  return lines
    .flatMap(([name, text]) =>
      wrap(text, width && width - left - 4).map((line, index) => [index === 0 ? name : '', line] as const),
    )
    .map(([name, text]) => `  ${name.padEnd(left)}  ${text}\n`)
    .join('')
}

const spelled = (name: string, { type, value, short }: Option): string =>
  `${short ? `-${short}, ` : ''}--${name}${type === 'boolean' ? '' : ` <${value ?? name}>`}`

const optionColumns = (options: Readonly<Record<string, Option>>, look: Look): string =>
  columns(
    Object.entries(options).map(([name, option]) => [spelled(name, option), option.description] as const),
    look,
  )

const synopsis = ({ name, arguments: args = [], options = {} }: Command): string =>
  [
    `cairn ${name}`,
    ...args.map(({ name, optional, rest }) => `${optional ? `[${name}]` : `<${name}>`}${rest ? '…' : ''}`),
    ...Object.entries(options).map(
      ([option, row]) =>
        `${row.required ? '' : '['}${spelled(option, row)}${row.required ? '' : ']'}${row.multiple ? '…' : ''}`,
    ),
  ].join(' ')

export const commandHelp = (command: Command, look: Look): string => {
  const { arguments: args = [], options = {}, notes = [], examples = [] } = command
  const section = (title: string, text: string) => `${look.heading(title)}\n${text}`
  return [
    `${command.summary}.\n`,
    indented(synopsis(command), look),
    ...(args.length === 0
      ? []
      : [
          section(
            'Arguments',
            columns(
              args.map(({ name, description }) => [`<${name}>`, description] as const),
              look,
            ),
          ),
        ]),
    section('Options', optionColumns({ ...options, ...commonOptions }, look)),
    ...(examples.length === 0 ? [] : [section('Examples', examples.map((line) => `  ${line}\n`).join(''))]),
    ...(notes.length === 0 ? [] : [notes.map((note) => indented(note, look, 0)).join('')]),
  ].join('\n')
}

const environment = [
  ['CAIRN_URL', 'Address of the server. Default: that of the profile.'],
  [
    'CAIRN_API_KEY, CAIRN_API_KEY_FILE',
    'The API key, or a file that has it, for the address in CAIRN_URL or --url. Default: that of the profile, else api-key in CAIRN_DATA_DIR.',
  ],
  ['CAIRN_PROFILE', 'The profile of cairn login. Default: default.'],
  [
    'CAIRN_ADMIN_KEY, CAIRN_ADMIN_KEY_FILE',
    'The admin key, or a file that has it, for the address in CAIRN_URL or --url. Default: admin-key in CAIRN_DATA_DIR.',
  ],
  ['CAIRN_EDGE_URL', 'Address of the edge store. Default: http://localhost:8080.'],
  ['CAIRN_DATA_DIR', 'The data directory of a server in one process. Default: ./data.'],
  ['NO_COLOR', 'Print no colors.'],
] as const

export const overview = (groups: readonly CommandGroup[], look: Look): string =>
  [
    'The command line of Cairn, for users and operators.\n\n  cairn <command> [options]\n',
    ...groups.map(
      ({ title, commands }) =>
        `${look.heading(title)}\n${columns(
          commands.map(({ name, summary }) => [name, summary] as const),
          look,
        )}`,
    ),
    `${look.heading('Options of every command')}\n${optionColumns(commonOptions, look)}`,
    `${look.heading('Environment')}\n${columns(environment, look)}`,
    `${look.heading('Exit codes')}\n${columns(
      Object.entries(exitCodes).map(([code, meaning]) => [code, meaning] as const),
      look,
    )}`,
    `${look.heading('Examples')}\n${[
      'cairn ns create handbook',
      'cairn add docs README.md --to handbook --wait',
      'cairn search "how is a scanned page read?" --in handbook',
      'cairn ns list --json=namespace_name,item_count',
    ]
      .map((line) => `  ${line}\n`)
      .join('')}`,
    '"cairn help <command>" describes one; "cairn --version" prints the version.\n',
  ].join('\n')
