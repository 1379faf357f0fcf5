import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const logger = new URL('./logger.ts', import.meta.url).href

/** Runs a process that logs with the default output; returns what arrived on its standard output. */
const outputOf = (script: string): string[] => {
  const source = `import { createLogger } from ${JSON.stringify(logger)}
const log = createLogger({ level: 'info', name: 'test' })
${script}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  return stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg)
}

it.each([
  ['exits', 'process.exit(3)'],
  ['fails', "throw new Error('unhandled')"],
  ['runs to its end', ''],
])('loses no line of a process that %s in the turn that wrote it', (_how, ending) => {
  expect(outputOf(`log.info('first')\nlog.child({ job: 'a' }).info('second')\n${ending}`)).toEqual(['first', 'second'])
})

it('keeps the order of lines of several turns', () => {
  const script =
    "for (const line of ['a', 'b', 'c']) { log.info(line); await new Promise((done) => setImmediate(done)) }"
  expect(outputOf(script)).toEqual(['a', 'b', 'c'])
})
