import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

// `npm run client:build [folder]` writes the package for publishing, by default to packages/client/dist.
const source = dirname(import.meta.dirname)
const root = resolve(source, '../..')
const target = resolve(process.argv[2] ?? join(source, 'dist'))

rmSync(target, { recursive: true, force: true })
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(source, 'tsconfig.build.json'), '--outDir', target],
  { stdio: 'inherit' },
)
if (status !== 0) throw new Error(`tsc ended with ${status}`)

// tsc rewrites the extensions of imports in code, not in declarations.
for (const file of globSync('*.d.ts', { cwd: target })) {
  const path = join(target, file)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"))
}

const { name, version, description, license, type, dependencies } = JSON.parse(
  readFileSync(join(source, 'package.json'), 'utf8'),
)
const manifest = {
  ...{ name, version, description, license, type },
  engines: { node: '>=18' },
  sideEffects: false,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  dependencies,
}
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
copyFileSync(join(root, 'docs/sdk.md'), join(target, 'README.md'))
process.stdout.write(`wrote ${target}\n`)
