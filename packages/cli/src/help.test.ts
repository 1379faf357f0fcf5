import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandGroups, commands } from './commands.ts'
import { cairn, cairnInTerminal } from './run.fixture.ts'

/** Splits a command line of an example as a shell does, as far as examples need it. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain ?? '')

describe('the help', () => {
  it('lists every command in its group, and the exit codes', async () => {
    const { code, out } = await cairn({}, '--help')
    expect(code).toBe(0)
    for (const { title } of commandGroups) expect(out).toContain(`\n${title}\n`)
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect(out).toContain('Exit codes')
    for (const args of [['-h'], ['help'], ['--help', '--json']])
      expect(await cairn({}, ...args)).toEqual({ code, out, err: '' })
    expect((await cairn({}, 'keys', '--help')).out).not.toContain('accounts create')
    expect((await cairn({}, 'help', 'keys')).out).toEqual((await cairn({}, 'keys', '-h')).out)
  })

  it.each([
    [['--url', 'localhost:1', 'ns', 'list']],
    [['--url=localhost:1', '--json', 'ns', 'list']],
    [['--json', '--url', 'localhost:1', 'ns', 'list']],
  ])('takes the options of all commands before the command, too: %j', async (args) => {
    expect(await cairn({}, ...args)).toMatchObject({ code: 2, err: expect.stringContaining('has no scheme') })
  })

  it('does not take an option without its value for a command', async () => {
    expect(await cairn({}, '--url')).toMatchObject({ code: 2, err: expect.stringContaining('Unknown command "--url"') })
  })

  it.each(commands)('explains cairn $name', async ({ name, options = {} }) => {
    const words = name.split(' ')
    const { code, out } = await cairn({}, 'help', ...words)
    expect(code).toBe(0)
    expect(out).toContain(`cairn ${name}`)
    for (const option of ['url', 'json', 'help', ...Object.keys(options)]) expect(out).toContain(`--${option}`)
    for (const option of ['--help', '-h']) expect((await cairn({}, ...words, option)).out).toBe(out)
  })

  it('has examples that are valid command lines', async () => {
    const lines = commands.flatMap(({ name, examples = [] }) => examples.map((line) => ({ name, line })))
    expect(lines.length).toBeGreaterThan(10)
    for (const { name, line } of lines) {
      const [command, ...args] = wordsOf(line)
      expect(command).toBe('cairn')
      expect((await cairn({}, ...args, '--help')).out, line).toContain(`  cairn ${name}`)
    }
  })

  it('is as wide as the terminal, and is not wrapped elsewhere', async () => {
    const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))
    for (const args of [['--help'], ['rm', '--help'], ['edge', 'pull', '--help']]) {
      const narrow = (await cairnInTerminal(80, {}, ...args)).out
      const examples = narrow.indexOf('Examples')
      expect(widest(examples < 0 ? narrow : narrow.slice(0, examples))).toBeLessThanOrEqual(80)
      expect(widest((await cairn({}, ...args)).out)).toBeGreaterThan(80)
    }
  })

  it('names the version', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    expect(await cairn({}, '--version')).toEqual({ code: 0, out: `cairn ${version}\n`, err: '' })
  })
})

describe('a misspelled word', () => {
  it.each([
    [['serach', 'x'], 'Unknown command "serach": did you mean "search"? (see cairn --help)'],
    [['help', 'serach'], 'Unknown command "serach": did you mean "search"? (see cairn --help)'],
    [['ns', 'delte', 'x'], 'Unknown command "ns delte": did you mean "ns delete"? (see cairn --help)'],
    [['ns', 'paint'], '"cairn ns" needs one of: list, create, delete (see cairn --help)'],
    [['revoke'], 'Unknown command "revoke": did you mean "keys revoke"? (see cairn --help)'],
    [['nonsense'], 'Unknown command "nonsense" (see cairn --help)'],
    [['nonsense', '--help'], 'Unknown command "nonsense" (see cairn --help)'],
    [['search', 'x', '--tpo', '3'], "Unknown option '--tpo': did you mean --top? (see cairn search --help)"],
    [['search', 'x', '--colour'], "Unknown option '--colour' (see cairn search --help)"],
    [['search', 'x', '--json='], '--json= needs the names of fields, separated by commas (see cairn search --help)'],
  ])('%j is answered by the word that was probably meant', async (args, message) => {
    expect(await cairn({}, ...args)).toEqual({ code: 2, out: '', err: `cairn: ${message}\n` })
  })
})
