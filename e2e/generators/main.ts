// Generates clients in several languages from docs/openapi.json, compiles them and runs them against a service; checks
// the document with linters; runs `@cairn/client` against the service on several JavaScript runtimes.
//
//     node e2e/generators/main.ts [name of a generator …]

import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Standalone, startStandalone } from '../target.ts'
import { pins } from './pins.ts'
import { hasCommand, runCommand } from './run-command.ts'
import { goTools, mavenTool, npmTools, pythonTools, runtimeTools } from './tools.ts'

const document = join(import.meta.dirname, '../../docs/openapi.json')
const programs = join(import.meta.dirname, 'programs')

type Scene = { readonly folder: string; readonly service: Standalone }
type Step = readonly [name: string, run: () => Promise<unknown>]
type Generator = {
  readonly name: string
  /** Resolves to the reason to skip the generator, if it needs more than Node and npm. */
  readonly missing?: () => Promise<string | undefined>
  /** Installs the generator's tools and returns its steps, which are counted. */
  readonly steps: (scene: Scene) => Promise<readonly Step[]>
}

const needs =
  (...commands: readonly (readonly [string, string])[]) =>
  async (): Promise<string | undefined> => {
    for (const [command, argument] of commands)
      if (!(await hasCommand(command, argument))) return `there is no ${command}`
    return undefined
  }

const calls = ({ service, folder }: Scene) => ({
  cwd: folder,
  env: { CAIRN_URL: service.url, CAIRN_API_KEY: service.apiKey },
  withinMs: 60_000,
})
const expectOk = async (output: Promise<string>): Promise<void> => {
  if (!/^ok/m.test(await output)) throw new Error(`the program did not say ok:\n${await output}`)
}

/** Creates a strict TypeScript project that can import the installed packages. */
const typescriptProject = (folder: string, tools: string): void => {
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: false, skipLibCheck: false },
    ...{ target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom', 'dom.iterable'], types: [], outDir: 'dist' },
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['**/*'], exclude: ['dist'] }),
  )
  // The programs use only one global of Node.
  writeFileSync(join(folder, 'node.d.ts'), 'declare const process: { env: Record<string, string | undefined> }\n')
}

/**
 * Describes a TypeScript generator whose program is `programs/<name>.mts`; `generate` returns the command that writes
 * the client.
 */
const typescriptGenerator = (
  name: string,
  generate: (folder: string) => readonly [command: string, ...args: string[]],
): Generator => ({
  name,
  steps: async (scene) => {
    const tools = await npmTools()
    const { folder } = scene
    const bin = (command: string) => join(tools, 'node_modules/.bin', command)
    typescriptProject(folder, tools)
    copyFileSync(join(programs, `${name}.mts`), join(folder, 'main.mts'))
    const [command, ...args] = generate(folder)
    return [
      ['generate', () => runCommand(bin(command), args, { cwd: folder })],
      ['compile', () => runCommand(bin('tsc'), ['-p', '.'], { cwd: folder })],
      ['call', () => expectOk(runCommand(process.execPath, ['dist/main.mjs'], calls(scene)))],
    ]
  },
})

const openapiFetch = typescriptGenerator('openapi-fetch', () => [
  'openapi-typescript',
  ...[document, '--output', 'schema.ts'],
  // With the default of this option, fields with a default would be required in requests.
  '--default-non-nullable=false',
])

const heyApi = typescriptGenerator('hey-api', (folder) => {
  // Makes the generator write imports that Node resolves.
  const config = { input: document, output: { path: 'hey', module: { extension: '.js' } } }
  writeFileSync(join(folder, 'openapi-ts.config.mjs'), `export default ${JSON.stringify(config)}\n`)
  return ['openapi-ts', '--file', 'openapi-ts.config.mjs']
})

const openapiPythonClient: Generator = {
  name: 'openapi-python-client',
  missing: needs(['python3', '--version']),
  steps: async (scene) => {
    const bin = join(await pythonTools(), 'bin')
    const { folder } = scene
    copyFileSync(join(programs, 'openapi_python_client.py'), join(folder, 'main.py'))
    const options = ['--meta', 'none', '--output-path', 'cairn_client', '--fail-on-warning']
    const args = ['generate', '--path', document, ...options]
    // The generator formats its output with ruff, which must be in the PATH.
    const env = { PATH: `${bin}:${process.env['PATH']}` }
    return [
      ['generate', () => runCommand(join(bin, 'openapi-python-client'), args, { cwd: folder, env })],
      ['compile', () => runCommand(join(bin, 'mypy'), ['main.py', '--follow-imports=silent'], { cwd: folder })],
      ['call', () => expectOk(runCommand(join(bin, 'python'), ['main.py'], calls(scene)))],
    ]
  },
}

const openapiGenerator: Generator = {
  name: 'openapi-generator',
  missing: needs(['java', '-version'], ['mvn', '--version'], ['python3', '--version']),
  steps: async (scene) => {
    const jar = await mavenTool()
    const bin = join(await pythonTools(), 'bin')
    const { folder } = scene
    copyFileSync(join(programs, 'openapi_generator.py'), join(folder, 'main.py'))
    const args = ['-jar', jar, 'generate', '-g', 'python', '-i', document, '-o', 'client']
    const env = { PYTHONPATH: join(folder, 'client') }
    return [
      ['generate', () => runCommand('java', [...args, '--package-name', 'cairn_api'], { cwd: folder })],
      ['compile', () => runCommand(join(bin, 'python'), ['-m', 'compileall', '-q', 'client'], { cwd: folder })],
      [
        'call',
        () => {
          const call = calls(scene)
          return expectOk(runCommand(join(bin, 'python'), ['main.py'], { ...call, env: { ...call.env, ...env } }))
        },
      ],
    ]
  },
}

const oapiCodegen: Generator = {
  name: 'oapi-codegen',
  missing: needs(['go', 'version']),
  steps: async (scene) => {
    const tool = join(await goTools(), 'oapi-codegen')
    const { folder } = scene
    copyFileSync(join(programs, 'oapi_codegen.go'), join(folder, 'main.go'))
    writeFileSync(join(folder, 'go.mod'), 'module example.org/generated\n\ngo 1.24.0\n')
    const args = ['-generate', 'types,client', '-package', 'main', '-o', 'client.go', document]
    const build = async () => {
      await runCommand('go', ['get', pins.go.runtime], { cwd: folder })
      await runCommand('go', ['mod', 'tidy'], { cwd: folder })
      await runCommand('go', ['vet', './...'], { cwd: folder })
      await runCommand('go', ['build', '-o', 'program', '.'], { cwd: folder })
    }
    return [
      ['generate', () => runCommand(tool, args, { cwd: folder })],
      ['compile', build],
      ['call', () => expectOk(runCommand(join(folder, 'program'), [], calls(scene)))],
    ]
  },
}

const linters: Generator = {
  name: 'linters',
  steps: async ({ folder }) => {
    const bin = (tools: string, name: string) => join(tools, 'node_modules/.bin', name)
    const tools = await npmTools()
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    writeFileSync(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
    return [
      ['redocly', () => runCommand(bin(tools, 'redocly'), ['lint', document], { cwd: folder, env: quiet })],
      [
        'spectral',
        () =>
          runCommand(bin(tools, 'spectral'), ['lint', document, '-r', 'spectral.yaml', '--fail-severity', 'error'], {
            cwd: folder,
          }),
      ],
    ]
  },
}

/** Not a generator: tests our own client, as published, on every runtime that it supports. */
const cairnClient: Generator = {
  name: 'cairn-client',
  missing: async () => ((await runtimeTools()) ? undefined : 'there are no binaries of the runtimes for this machine'),
  steps: async (scene) => {
    const { folder } = scene
    const runtimes = await runtimeTools()
    if (!runtimes) throw new Error('there are no runtimes')
    const root = join(import.meta.dirname, '../..')
    const modules = join(folder, 'node_modules')
    const build = async () => {
      const builder = join(root, 'packages/client/src/build-package.ts')
      await runCommand(process.execPath, [builder, join(modules, '@cairn/client')], { cwd: root })
      for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
        cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true })
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
      copyFileSync(join(programs, 'cairn-client.mjs'), join(folder, 'main.mjs'))
    }
    const callBy = (name: string, command: string, ...args: string[]): Step => [
      name,
      () => expectOk(runCommand(command, [...args, 'main.mjs', name], calls(scene))),
    ]
    const rights = ['--allow-net', '--allow-env', '--allow-read']
    return [
      ['build', build],
      callBy('node-18', runtimes['node-18']),
      callBy('node-22', runtimes['node-22']),
      callBy('node-24', process.execPath),
      callBy('deno', runtimes.deno, 'run', ...rights),
      callBy('bun', runtimes.bun, 'run'),
    ]
  },
}

const generators = [cairnClient, openapiFetch, heyApi, openapiPythonClient, openapiGenerator, oapiCodegen, linters]

const counts = { passed: 0, failed: 0, skipped: 0 }

/**
 * Runs the steps of a generator. Later steps of a generator need the earlier ones; the steps of linters and runtimes
 * are independent.
 */
const runSteps = async (name: string, steps: readonly Step[]): Promise<void> => {
  for (const [step, run] of steps) {
    const from = performance.now()
    try {
      await run()
      counts.passed += 1
      console.log(`passed   ${name}: ${step} (${((performance.now() - from) / 1_000).toFixed(1)} s)`)
    } catch (error) {
      counts.failed += 1
      console.log(`failed   ${name}: ${step}\n${error instanceof Error ? error.message : error}`)
      if (name !== linters.name && name !== cairnClient.name) return
    }
  }
}

const main = async (): Promise<void> => {
  const chosen = process.argv.slice(2)
  const unknown = chosen.filter((each) => !generators.some(({ name }) => name === each))
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(', ')}; one of ${generators.map(({ name }) => name)}`)
  const service = await startStandalone()
  const root = mkdtempSync(join(tmpdir(), 'cairn-generators-'))
  try {
    for (const { name, missing, steps } of generators) {
      if (chosen.length > 0 && !chosen.includes(name)) continue
      const reason = await missing?.()
      if (reason !== undefined) {
        counts.skipped += 1
        console.log(`skipped  ${name}: ${reason}`)
        continue
      }
      const folder = join(root, name)
      mkdirSync(folder)
      try {
        await runSteps(name, await steps({ folder, service }))
      } catch (error) {
        counts.failed += 1
        console.log(`failed   ${name}: installation\n${error instanceof Error ? error.message : error}`)
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
    await service.stop()
  }
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1
}

await main()
