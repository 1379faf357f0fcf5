import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { searchOptions } from '../../docs/.vitepress/search.ts'
import { docsWords } from './docs-words.ts'

type Index = { search(words: string): readonly { readonly id: string }[] }
type MiniSearch = { loadJSON(json: string, options: object): Index }

/** Number of results that a reader sees without scrolling. */
const shown = 5

/** Options of VitePress's search box, which has no way to read them. */
const options = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...searchOptions },
}

/**
 * Searches the index of the built site for the words that readers type; returns a line for each whose page is not among
 * the first results. `tools` has the search library, installed with VitePress.
 */
export const searchFaults = async (built: string, tools: string): Promise<string[]> => {
  const [file = ''] = globSync(join(built, 'assets/chunks/@localSearchIndexroot.*.js'))
  const { default: json } = (await import(file)) as { readonly default: string }
  const library = createRequire(join(tools, 'package.json'))('minisearch') as MiniSearch & {
    readonly default?: MiniSearch
  }
  const index = (library.default ?? library).loadJSON(json, options)
  return Object.entries(docsWords).flatMap(([words, page]) => {
    const found = index
      .search(words)
      .slice(0, shown)
      .map(({ id }) => id.replace(/(?:\.html)?(?:#.*)?$/, ''))
    return found.includes(page) ? [] : [`"${words}" finds ${found.join(', ') || 'nothing'}, not ${page}`]
  })
}
