import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { consoleFiles } from './console-files.ts'

it('finds a build that was made after the start, and reads it once', async () => {
  const folder = join(temporaryDirectory(), 'dist')
  const files = consoleFiles(folder)
  expect(await files()).toBeUndefined()
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'assets/a-1.js'), 'export {}')
  expect(await files()).toBeUndefined()
  writeFileSync(join(folder, '.built-from'), 'a hash')
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  const read = await files()
  expect([...(read?.keys() ?? [])].sort()).toEqual(['assets/a-1.js', 'index.html'])
  const script = read?.get('assets/a-1.js')
  expect(script?.contentType).toBe('text/javascript; charset=utf-8')
  expect(gunzipSync(script?.gzipped ?? '').toString()).toBe('export {}')
  rmSync(folder, { recursive: true })
  expect(await files()).toBe(read)
})
