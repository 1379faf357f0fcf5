import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

// `npm run cli:build [folder]` writes the package for publishing, by default to packages/cli/dist: one file with all
// that it needs, so that `npx` fetches nothing else.
const source = dirname(import.meta.dirname)
const root = resolve(source, '../..')
const target = resolve(process.argv[2] ?? join(source, 'dist'))

/** Licenses require their texts to be shipped. */
const licensesOf = (modules: readonly string[]): string => {
  const folders = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0])
  const texts = [...new Set(folders)].sort().flatMap((folder) => {
    if (folder === undefined) return []
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8').trim()
    return [`${name} ${version}\n\n${text}\n`]
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

rmSync(target, { recursive: true, force: true })
const bundle = await rolldown({ input: join(import.meta.dirname, 'published.ts'), platform: 'node' })
const { output } = await bundle.write({
  file: join(target, 'cairn.js'),
  format: 'esm',
  codeSplitting: false,
  minify: true,
})
await bundle.close()
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
writeFileSync(join(target, 'LICENSES.txt'), licensesOf(modules))

const { name, version, description, license, type } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
const manifest = { name, version, description, license, type, engines: { node: '>=20.20' }, bin: { cairn: 'cairn.js' } }
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
copyFileSync(join(source, 'README.md'), join(target, 'README.md'))
process.stdout.write(`wrote ${target}\n`)
