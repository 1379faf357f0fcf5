import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultCacheDir } from '@cairn/adapters/embedder/model/cache-dir'
import { pins } from './pins.ts'
import { runCommand } from './run-command.ts'

const cacheDir = process.env['CAIRN_CACHE_DIR'] || defaultCacheDir()
const installWithinMs = 600_000

const folderOf = (name: string, versions: unknown): string => {
  const hash = createHash('sha256').update(JSON.stringify(versions)).digest('hex').slice(0, 12)
  return join(cacheDir, 'generators', `${name}-${hash}`)
}
const doneIn = (folder: string): string => join(folder, 'complete')

/**
 * Returns the cache folder of these package versions. Runs `install` on first use, and again if an installation was
 * interrupted.
 */
const installed = async (
  name: string,
  versions: unknown,
  install: (folder: string) => Promise<unknown>,
): Promise<string> => {
  const folder = folderOf(name, versions)
  const done = doneIn(folder)
  if (existsSync(done)) return folder
  console.log(`installing ${name} into ${folder}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await install(folder)
  writeFileSync(done, '')
  return folder
}

type Versions = Readonly<Record<string, string>>

/** Returns a folder with these packages in its `node_modules`. */
export const npmEnvironment = (name: string, versions: Versions): Promise<string> =>
  installed(name, versions, async (folder) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: versions }))
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    await runCommand('npm', args, { cwd: folder, withinMs: installWithinMs })
  })

export const npmTools = (): Promise<string> => npmEnvironment('npm', pins.npm)

/** This machine's architecture in the names of npm packages with binaries; undefined if there are no such packages. */
const machine =
  process.platform === 'linux' ? ({ x64: 'x64', arm64: 'arm64' } as const)[process.arch as 'x64'] : undefined

/** Returns the commands of other JavaScript runtimes, by name; undefined if there are no binaries for this machine. */
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
  const folder = await npmEnvironment('runtimes', dependencies)
  const bin = (...path: string[]) => join(folder, 'node_modules', ...path)
  return {
    'node-18': bin('node-18', 'bin', 'node'),
    'node-22': bin('node-22', 'bin', 'node'),
    deno: bin('deno', 'deno'),
    bun: bin('bun', 'bin', 'bun'),
  }
}

/** Returns a folder with a Python environment of these packages. */
export const pythonEnvironment = (name: string, versions: Versions): Promise<string> =>
  installed(name, versions, async (folder) => {
    await runCommand('python3', ['-m', 'venv', folder], { cwd: folder, withinMs: installWithinMs })
    const packages = Object.entries(versions).map(([name, version]) => `${name}==${version}`)
    await runCommand(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages], {
      cwd: folder,
      withinMs: installWithinMs,
    })
  })

/** Returns the folder of the environment if it is installed. */
export const installedPython = (name: string, versions: Versions): string | undefined => {
  const folder = folderOf(name, versions)
  return existsSync(doneIn(folder)) ? folder : undefined
}

export const pythonTools = (): Promise<string> => pythonEnvironment('python', pins.python)

/** Returns a folder with `oapi-codegen`. */
export const goTools = (): Promise<string> =>
  installed('go', pins.go.tool, (folder) =>
    runCommand('go', ['install', pins.go.tool], { cwd: folder, env: { GOBIN: folder }, withinMs: installWithinMs }),
  )

/** Returns the path of openapi-generator's jar. */
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
