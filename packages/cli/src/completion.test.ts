import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { commands } from './commands.ts'
import { cairn } from './run.fixture.ts'

const scriptOf = async (shell: string) => (await cairn({}, 'completion', shell)).out

/** Returns the completions that bash would propose for the last word. */
const completed = async (...words: string[]): Promise<string[]> => {
  const script = `${await scriptOf('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cairn; printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-c', script, 'bash', 'cairn', ...words], { encoding: 'utf8' })
  return output.split('\n').filter(Boolean)
}

describe('completions', () => {
  it('of bash propose the first word, the second, and the options', async () => {
    expect(await completed('')).toEqual([...new Set(commands.map(({ name }) => name.split(' ')[0]))])
    expect(await completed('se')).toEqual(['search'])
    expect(await completed('ns', '')).toEqual(['list', 'create', 'delete'])
    expect(await completed('ns', 'create', '--v')).toEqual(['--vector'])
    expect(await completed('add', 'docs', '--to', 'notes', '--w')).toEqual(['--wait', '--watch'])
    expect(await completed('nonsense', '')).toEqual([])
  })

  it.each(['bash', 'zsh', 'fish'])('of %s have every command and option', async (shell) => {
    const script = await scriptOf(shell)
    for (const { name, options = {} } of commands) {
      for (const word of name.split(' ')) expect(script).toContain(word)
      for (const option of Object.keys(options))
        expect(script).toContain(shell === 'fish' ? `-l ${option}` : `--${option}`)
    }
  })

  it('are refused for another shell', async () => {
    expect(await cairn({}, 'completion', 'tcsh')).toMatchObject({ code: 2, out: '' })
  })
})
