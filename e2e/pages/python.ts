import { pins } from '../generators/pins.ts'
import { installedPython, pythonEnvironment } from '../generators/tools.ts'

/**
 * Python packages of the pages, with an environment per page, because the two integrations need different versions of
 * the same client. `node e2e/pages/main.ts` installs the packages into the cache.
 */
const environments: Readonly<Record<string, readonly [name: string, versions: Readonly<Record<string, string>>]>> = {
  'docs/sdk.md': ['python', pins.python],
  'docs/guides/langchain.md': ['pages-langchain', { 'langchain-moorcheh': '0.1.2', 'moorcheh-sdk': '1.3.7' }],
  'docs/guides/llamaindex.md': [
    'pages-llamaindex',
    { 'llama-index-vector-stores-moorcheh': '0.3.0', 'moorcheh-sdk': '1.3.0' },
  ],
}

/** Returns the folder of a page's environment; undefined if the environment is not installed or the page has none. */
export const findPython = (page: string): string | undefined => {
  const environment = environments[page]
  return environment === undefined ? undefined : installedPython(...environment)
}

/** Installs missing environments. Rejects if the registry can't be reached. */
export const installPython = async (): Promise<void> => {
  for (const environment of Object.values(environments)) await pythonEnvironment(...environment)
}
