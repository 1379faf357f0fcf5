import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultCacheDir } from '@cairn/ports/embedder/model/cache-dir'
import { pins } from './pins.ts'
import { runCommand } from './run-command.ts'

const cacheDir = process.env['CAIRN_CACHE_DIR'] || defaultCacheDir()
const installWithinMs = 600_000

/** Returns the folder of these pins below the cache. It is filled the first time, and again if that was interrupted. */
const installed = async (
  name: string,
  versions: unknown,
  install: (folder: string) => Promise<unknown>,
): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify(versions)).digest('hex').slice(0, 12)
  const folder = join(cacheDir, 'generators', `${name}-${hash}`)
  const done = join(folder, 'complete')
  if (existsSync(done)) return folder
  console.log(`installing ${name} into ${folder}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await install(folder)
  writeFileSync(done, '')
  return folder
}

/** A folder with `node_modules`. */
export const npmTools = (): Promise<string> =>
  installed('npm', pins.npm, async (folder) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: pins.npm }))
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    await runCommand('npm', args, { cwd: folder, withinMs: installWithinMs })
  })

/** How the registry's packages of binaries name this machine; undefined: there are none for it. */
const machine =
  process.platform === 'linux' ? ({ x64: 'x64', arm64: 'arm64' } as const)[process.arch as 'x64'] : undefined

/** The commands of other JavaScript runtimes, by name; undefined where there are no binaries for this machine. */
export const runtimeTools = async (): Promise<Readonly<Record<keyof typeof pins.runtimes, string>> | undefined> => {
  if (machine === undefined) return undefined
  const names = {
    'node-18': `node-linux-${machine}`,
    'node-22': `node-linux-${machine}`,
    deno: `@deno/linux-${machine}-glibc`,
    bun: `@oven/bun-linux-${machine === 'x64' ? 'x64' : 'aarch64'}`,
  }
  const dependencies = Object.fromEntries(
    Object.entries(pins.runtimes).map(([name, version]) => [
      name,
      `npm:${names[name as keyof typeof names]}@${version}`,
    ]),
  )
  const folder = await installed('runtimes', dependencies, async (target) => {
    writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true, dependencies }))
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    await runCommand('npm', args, { cwd: target, withinMs: installWithinMs })
  })
  const bin = (...path: string[]) => join(folder, 'node_modules', ...path)
  return {
    'node-18': bin('node-18', 'bin', 'node'),
    'node-22': bin('node-22', 'bin', 'node'),
    deno: bin('deno', 'deno'),
    bun: bin('bun', 'bin', 'bun'),
  }
}

/** A folder with a Python environment. */
export const pythonTools = (): Promise<string> =>
  installed('python', pins.python, async (folder) => {
    await runCommand('python3', ['-m', 'venv', folder], { cwd: folder, withinMs: installWithinMs })
    const packages = Object.entries(pins.python).map(([name, version]) => `${name}==${version}`)
    await runCommand(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages], {
      cwd: folder,
      withinMs: installWithinMs,
    })
  })

/** A folder with `oapi-codegen`. */
export const goTools = (): Promise<string> =>
  installed('go', pins.go.tool, (folder) =>
    runCommand('go', ['install', pins.go.tool], { cwd: folder, env: { GOBIN: folder }, withinMs: installWithinMs }),
  )

/** Path of the jar of openapi-generator. */
export const mavenTool = async (): Promise<string> => {
  const [, artifact = '', version] = pins.maven.split(':')
  const folder = await installed('maven', pins.maven, (target) =>
    runCommand('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${pins.maven}`, `-DoutputDirectory=${target}`], {
      cwd: target,
      withinMs: installWithinMs,
    }),
  )
  return join(folder, `${artifact}-${version}.jar`)
}
