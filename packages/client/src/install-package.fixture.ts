import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const source = dirname(import.meta.dirname)
const root = resolve(source, '../..')
const execute = promisify(execFile)

/**
 * Builds and packs the client in `folder`, and installs it in the `node_modules` of `project`, without the registry:
 * its dependency and the types of Node are copied from this repository. Resolves to the folder of the installed package.
 *
 * Asynchronous, because the test runner ends a worker that does not respond for a minute.
 */
export const installPackage = async (folder: string, project: string): Promise<string> => {
  const built = join(folder, 'built')
  const modules = join(project, 'node_modules')
  const installed = join(modules, '@cairn/client')
  await execute(process.execPath, [join(import.meta.dirname, 'build-package.ts'), built], { cwd: root })
  const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', folder], { cwd: built })
  const [packed] = JSON.parse(stdout)
  mkdirSync(installed, { recursive: true })
  await execute('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components=1'])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'])
    cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true })
  return installed
}
