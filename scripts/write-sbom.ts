import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * `node scripts/write-sbom.ts [<file>]`: writes a CycloneDX list of the packages of this release for vulnerability
 * scanners. Default: standard output.
 */
const root = path.dirname(import.meta.dirname)
const npm = process.env.npm_execpath
const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []]
const result = spawnSync(command, [...before, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
})
if (result.status !== 0) throw new Error('npm sbom failed')

const bom = JSON.parse(result.stdout)
// By default npm uses the name of the folder, which can be anything.
bom.metadata.component.name = 'cairn'
const text = `${JSON.stringify(bom, null, 2)}\n`
const [file] = process.argv.slice(2)
if (file) {
  writeFileSync(path.resolve(process.env.INIT_CWD ?? '.', file), text)
  console.log(`${bom.components.length} packages written to ${file}`)
} else process.stdout.write(text)
