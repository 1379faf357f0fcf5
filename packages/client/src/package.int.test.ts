import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Standalone, startStandalone } from '../../../e2e/target.ts'
import { installPackage } from './install-package.fixture.ts'

/** Long, because processes start and compile here while other tests run. */
const patienceMs = 120_000

const source = dirname(import.meta.dirname)
const root = resolve(source, '../..')

/** Program of a user of the package: compiled in strict mode, with only the types of the package. */
const program = `
import { Cairn, CairnError, type Hit, type Namespace, type SentDocument } from '@cairn/client'

const cairn = new Cairn({ url: process.env['CAIRN_URL'] ?? '', apiKey: process.env['CAIRN_API_KEY'] ?? '' })
await cairn.namespaces.create('packed')
await cairn.namespaces.create('packed-vectors', { type: 'vector', vector_dimension: 3 })
const documents: SentDocument[] = [{ id: 1, text: 'A cairn marks the path over the pass.', year: 2024 }]
const uploaded = await cairn.documents.upload('packed', documents, { wait: true })
const hits: Hit[] = (await cairn.search({ query: 'path', namespaces: ['packed'], filter: { key: 'year', gte: 2020 } })).results
const namespaces: Namespace[] = await cairn.namespaces.list()
const heads: string[] = []
for await (const { id, version } of cairn.documents.page('packed', { fields: 'head' })) heads.push(id + typeof version)
// @ts-expect-error: heads have no text
for await (const { text } of cairn.documents.page('packed', { fields: 'head' })) heads.push(typeof text)
const file = await cairn.files.upload('packed', process.argv[2] ?? '', { name: 'notes.md' })
let answer = ''
for await (const event of cairn.answerStream({ query: 'What marks the path?', namespace: 'packed' }))
  if (event.event === 'token') answer += event.delta
// @ts-expect-error: the query is required
await cairn.search({ namespaces: ['packed'] }).catch((error: unknown) => {
  if (!(error instanceof CairnError) || error.code !== 'invalid') throw error
})
console.log(JSON.stringify({ uploaded, hits: hits.length, namespaces: namespaces.length, heads, file, answer }))
`

const execute = promisify(execFile)

/**
 * Runs a command and resolves to its output. Asynchronous, because the test runner ends a worker that does not respond
 * for a minute.
 */
const run = async (
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  // biome-ignore lint/style/noProcessEnv: npm and tsc need the path and the home of the user
  const { stdout } = await execute(command, args, { cwd, env: { ...process.env, ...env } })
  return stdout
}

describe('the package', { timeout: patienceMs }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-package-'))
  const project = join(folder, 'project')
  let installed: string
  let server: Standalone
  beforeAll(async () => {
    server = await startStandalone()
    installed = await installPackage(folder, project)
  }, patienceMs)
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  })

  it('is compiled by a strict project and works outside of the workspace', async () => {
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
    writeFileSync(join(project, 'main.ts'), program)
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noUnusedLocals: true },
      ...{ skipLibCheck: false, target: 'es2022', module: 'nodenext', types: ['node'] },
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }))
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], project)
    writeFileSync(join(project, 'notes.md'), '# Notes\n\nBread is baked from flour and water.\n')
    const output = await run(process.execPath, ['main.js', 'notes.md'], project, {
      CAIRN_URL: server.url,
      CAIRN_API_KEY: server.apiKey,
    })
    expect(JSON.parse(output)).toMatchObject({
      uploaded: { accepted: 1, failed: [] },
      hits: 1,
      namespaces: 2,
      heads: ['1string', 'undefined'],
      file: { file_name: 'notes.md', method: 'form' },
      answer: expect.stringContaining('cairn'),
    })
  })

  it('is compiled for browsers, without the types of Node', async () => {
    const page = `
import { Cairn } from '@cairn/client'
const cairn = new Cairn({ url: location.origin, apiKey: 'key' })
for (const file of document.querySelector('input')?.files ?? [])
  await cairn.files.upload('notes', file, { onProgress: ({ sent }) => { document.title = String(sent) } })
`
    writeFileSync(join(project, 'page.ts'), page)
    const compilerOptions = {
      ...{ strict: true, skipLibCheck: false, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
      ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    }
    writeFileSync(join(project, 'tsconfig.page.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }))
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.page.json'], project)
    expect(readFileSync(join(project, 'page.js'), 'utf8')).toContain('@cairn/client')
  })

  it('has one dependency, and imports nothing else: it runs in browsers', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(Object.keys(manifest.dependencies)).toEqual(['openapi-fetch'])
    const code = readdirSync(installed)
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(installed, file), 'utf8'))
    const imports = code.flatMap((text) => [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)])
    const names = new Set(imports.map(([, name = '']) => name).filter((name) => !name.startsWith('./')))
    expect([...names]).toEqual(['openapi-fetch'])
    expect(builtinModules.filter((name) => names.has(name))).toEqual([])
  })

  it('is small, and has its license and a readme', () => {
    expect(readdirSync(installed)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'index.js', 'index.d.ts']))
    expect(
      readdirSync(installed).filter((file) => /test|write-types|build-package|\.ts$/.test(file.replace('.d.ts', ''))),
    ).toEqual([])
  })
})
