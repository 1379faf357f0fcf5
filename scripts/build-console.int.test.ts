import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

/** Time limit of a test, which builds while other tests run. */
const patienceMs = 60_000

const dist = join(import.meta.dirname, '../packages/console/dist')
const script = join(import.meta.dirname, 'build-console.ts')

const build = async (): Promise<number> => {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number]
  return code
}
const builtAt = () => statSync(join(dist, 'index.html')).mtimeMs

it('builds once, also if several start at the same time, and not again while nothing has changed', {
  timeout: patienceMs,
}, async () => {
  rmSync(join(dist, '.built-from'), { force: true })
  expect(await Promise.all([build(), build(), build()])).toEqual([0, 0, 0])
  const first = builtAt()
  expect(await build()).toBe(0)
  expect(builtAt()).toBe(first)
  expect(globSync('packages/console/.{dist-,build.lock}*', { cwd: join(import.meta.dirname, '..') })).toEqual([])
})

it('makes files that are small, and a page that the policy accepts', { timeout: patienceMs }, async () => {
  expect(await build()).toBe(0)
  const files = globSync('**/*.{html,js,css,svg}', { cwd: dist }).map((name) => readFileSync(join(dist, name)))
  const sizes = files.map((file) => gzipSync(file).length)
  expect(sizes.length).toBeGreaterThan(3)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200 * 1024)
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=|https?:/)
})
