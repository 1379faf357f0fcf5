import { AppError } from '@cairn/contracts/errors'
import type { Command } from './command.ts'
import { commonOptions } from './help.ts'

const shells = ['bash', 'zsh', 'fish'] as const

const optionsOf = ({ options = {} }: Command): string[] =>
  Object.keys({ ...options, ...commonOptions }).map((name) => `--${name}`)

/** Words that may follow those typed so far: first and second words of commands, and options. */
const followers = (commands: readonly Command[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>()
  const add = (line: string, words: readonly string[]) =>
    found.set(line, [...new Set([...(found.get(line) ?? []), ...words])])
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ')
    add('', [first])
    if (second !== undefined) add(first, [second])
    add(command.name, optionsOf(command))
  }
  return found
}

/** Options may follow after further words. */
const branches = (
  commands: readonly Command[],
  branch: (pattern: string, words: readonly string[]) => string,
): string => {
  const names = new Set(commands.map(({ name }) => name))
  return [...followers(commands)]
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([line, words]) => branch(names.has(line) ? `'${line}'|'${line} '*` : `'${line}'`, words))
    .join('\n')
}

const bash = (commands: readonly Command[]): string => `# cairn completion bash
_cairn() {
  local words='' line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$line" in
${branches(commands, (pattern, words) => `    ${pattern}) words='${words.join(' ')}' ;;`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _cairn cairn
`

const zsh = (commands: readonly Command[]): string => `#compdef cairn
# cairn completion zsh
_cairn() {
  local line="\${(j: :)words[2,CURRENT-1]}"
  case "$line" in
${branches(commands, (pattern, words) => `    ${pattern}) compadd -- ${words.join(' ')} ;;`)}
  esac
  _files
}
compdef _cairn cairn
`

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fish = (commands: readonly Command[]): string => {
  const lines = commands.flatMap((command) => {
    const [first = '', second] = command.name.split(' ')
    const seen = (word: string) => `__fish_seen_subcommand_from ${word}`
    const start =
      second === undefined
        ? [`complete -c cairn -n __fish_use_subcommand -a ${first} -d ${quoted(command.summary)}`]
        : [
            `complete -c cairn -n __fish_use_subcommand -a ${first}`,
            `complete -c cairn -n ${quoted(`${seen(first)}; and test (count (commandline -opc)) -eq 2`)} -a ${second} -d ${quoted(command.summary)}`,
          ]
    const when = second === undefined ? seen(first) : `${seen(first)}; and ${seen(second)}`
    const options = Object.entries({ ...command.options, ...commonOptions }).map(
      ([name, { type, description }]) =>
        `complete -c cairn -n ${quoted(when)} -l ${name} ${type === 'string' ? '-r ' : ''}-d ${quoted(description)}`,
    )
    return [...start, ...options]
  })
  return `# cairn completion fish\n${[...new Set(lines)].join('\n')}\n`
}

/** Takes a function, because the list of commands includes this command. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Print shell completions',
  arguments: [{ name: 'shell', description: `${shells.join(', ')}.` }],
  notes: [
    'bash: source <(cairn completion bash)',
    'zsh:  source <(cairn completion zsh)',
    'fish: cairn completion fish | source',
  ],
  run: async ({ print }, input) => {
    const shell = input.argument('shell')
    const script = { bash, zsh, fish }[shell as (typeof shells)[number]]
    if (!script) throw new AppError('invalid', `No completions for ${shell}; supported shells: ${shells.join(', ')}`)
    const text = script(commands())
    print(text)
    return { data: { shell, script: text } }
  },
})
