import type { Command, Option } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/** Options of every command. */
export const commonOptions: Readonly<Record<string, Option>> = {
  url: {
    type: 'string',
    value: 'address',
    description:
      'Address of the server. Default: CAIRN_URL, else the address in CAIRN_DATA_DIR, else http://localhost:3000.',
  },
  json: { type: 'boolean', description: 'Print the result as JSON.' },
  help: { type: 'boolean', description: 'Print this help.' },
}

const columns = (lines: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}

const spelled = (name: string, { type, value }: Option): string =>
  type === 'boolean' ? `--${name}` : `--${name} <${value ?? name}>`

export const synopsis = ({ name, arguments: args = [], options = {} }: Command): string =>
  [
    `cairn ${name}`,
    ...args.map(({ name, optional, rest }) => `${optional ? `[${name}]` : `<${name}>`}${rest ? '…' : ''}`),
    ...Object.entries(options).map(
      ([option, row]) =>
        `${row.required ? '' : '['}${spelled(option, row)}${row.required ? '' : ']'}${row.multiple ? '…' : ''}`,
    ),
  ].join(' ')

export const commandHelp = (command: Command): string => {
  const { arguments: args = [], options = {}, notes = [] } = command
  return [
    `${command.summary}.\n\n  ${synopsis(command)}\n`,
    ...(args.length === 0 ? [] : [columns(args.map(({ name, description }) => [`<${name}>`, description] as const))]),
    columns(
      Object.entries({ ...options, ...commonOptions }).map(
        ([name, option]) => [spelled(name, option), option.description] as const,
      ),
    ),
    ...(notes.length === 0 ? [] : [notes.map((note) => `${note}\n`).join('')]),
  ].join('\n')
}

/** Returns the help of the given commands. */
export const overview = (commands: readonly Command[]): string =>
  [
    'The command line of Cairn, for users and operators.\n\n  cairn <command> [options]\n',
    columns(commands.map((command) => [command.name, command.summary] as const)),
    'Options of every command:\n',
    columns(
      Object.entries(commonOptions).map(([name, option]) => [spelled(name, option), option.description] as const),
    ),
    'Environment:\n',
    columns([
      ['CAIRN_URL', 'Address of the server. Default: http://localhost:3000.'],
      ['CAIRN_API_KEY, CAIRN_API_KEY_FILE', 'The API key, or a file that has it. Default: api-key in CAIRN_DATA_DIR.'],
      [
        'CAIRN_ADMIN_KEY, CAIRN_ADMIN_KEY_FILE',
        'The admin key, or a file that has it. Default: admin-key in CAIRN_DATA_DIR.',
      ],
      ['CAIRN_EDGE_URL', 'Address of the edge store. Default: http://localhost:8080.'],
      ['CAIRN_DATA_DIR', 'The data directory of a server in one process. Default: ./data.'],
    ]),
    'Exit codes:\n',
    columns(Object.entries(exitCodes).map(([code, meaning]) => [code, meaning] as const)),
    '"cairn <command> --help" describes one.\n',
  ].join('\n')
