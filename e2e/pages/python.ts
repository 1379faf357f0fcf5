import { pins } from '../generators/pins.ts'
import { installedPython, pythonEnvironment } from '../generators/tools.ts'

const requests = { requests: '2.34.2' }

/**
 * Python packages of the pages, with an environment per page, because the two integrations need different versions of
 * the same client. `node e2e/pages/main.ts` installs the packages into the cache.
 */
const environments: Readonly<Record<string, readonly [name: string, versions: Readonly<Record<string, string>>]>> = {
  'docs/sdk.md': ['python', pins.python],
  'README.md': ['pages-requests', requests],
  'docs/quick-start.md': ['pages-requests', requests],
  'docs/guides/answers.md': ['pages-requests', requests],
  'docs/guides/filters.md': ['pages-requests', requests],
  'docs/guides/hybrid-search.md': ['pages-requests', requests],
  'docs/guides/migrate.md': ['pages-migrate', { chromadb: '1.5.9', ...requests }],
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
