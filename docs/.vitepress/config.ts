import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { headingSlug } from '../../scripts/lib/markdown-links.ts'

/** The parts of markdown-it that are used here. It is installed with VitePress, outside this repository (scripts/docs.ts). */
type Token = {
  type: string
  content: string
  readonly info: string
  readonly children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}
type Markdown = {
  readonly core: {
    readonly ruler: {
      push(
        name: string,
        rule: (state: { readonly tokens: Token[]; readonly env: { readonly path: string } }) => void,
      ): void
    }
  }
  readonly renderer: { readonly rules: { fence?: (tokens: Token[], index: number, ...rest: unknown[]) => string } }
}

const docs = fileURLToPath(new URL('..', import.meta.url))
const tools = process.env['CAIRN_DOCS_TOOLS'] ?? ''
/** Address of the repository, such as https://example.org/cairn. Without it, links to its files are only named. */
const repository = process.env['DOCS_REPOSITORY']

/** Links of a page that lead out of docs/: to the file in the repository. README.md is the first page. */
const linkOutside = (page: string, children: Token[]): void => {
  for (const [index, open] of children.entries()) {
    const href = open.type === 'link_open' ? open.attrGet('href') : null
    if (href === null || !href.startsWith('.')) continue
    const target = resolve(dirname(page), decodeURI(href.replace(/#.*/, '')))
    const path = relative(join(docs, '..'), target)
    if (path.startsWith('docs/')) continue
    if (!existsSync(target)) throw new Error(`${page}: ${href} does not exist`)
    if (path === 'README.md') open.attrSet('href', relative(dirname(page), join(docs, 'index.md')))
    else if (repository !== undefined) open.attrSet('href', `${repository}/blob/main/${path}`)
    else {
      const close = children.slice(index).find(({ type }) => type === 'link_close')
      Object.assign(open, { type: 'html_inline', content: `<span class="in-repository" title="${path}">` })
      Object.assign(close ?? open, { type: 'html_inline', content: '</span>' })
    }
  }
}

/** The decisions, by their first headings. */
const decisions = readdirSync(join(docs, 'adr'))
  .filter((name) => name.endsWith('.md') && name !== 'index.md')
  .sort()
  .map((name) => ({
    text:
      readFileSync(join(docs, 'adr', name), 'utf8')
        .split('\n', 1)[0]
        ?.replace(/^# /, '') ?? name,
    link: `/adr/${name.replace(/\.md$/, '')}`,
  }))

const item = (text: string, link: string) => ({ text, link })
const reference = { text: 'Try the API', link: '/reference/index.html', target: '_self' }

export default {
  title: 'Cairn',
  description: 'A self-hosted data service: documents, files and search by meaning.',
  base: process.env['DOCS_BASE'] ?? '/',
  cacheDir: join(tools, 'cache'),
  // No request for an icon that does not exist.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    nav: [
      item('Quick start', '/quick-start'),
      item('Guides', '/guides/ingest-a-folder'),
      item('API', '/api'),
      item('Operations', '/deployment'),
      item('Decisions', '/adr/'),
    ],
    sidebar: [
      {
        text: 'Get started',
        items: [item('Overview', '/'), item('Quick start', '/quick-start'), item('Concepts', '/concepts')],
      },
      {
        text: 'Guides',
        items: [
          item('Ingest a folder', '/guides/ingest-a-folder'),
          item('Filters', '/guides/filters'),
          item('Hybrid search', '/guides/hybrid-search'),
          item('Answers', '/guides/answers'),
          item('LangChain', '/guides/langchain'),
          item('LlamaIndex', '/guides/llamaindex'),
          item('Embedding models', '/guides/models'),
          item('Edge store', '/guides/edge-store'),
        ],
      },
      {
        text: 'Reference',
        items: [
          item('HTTP API', '/api'),
          reference,
          item('API notes', '/api-notes'),
          item('TypeScript', '/sdk'),
          item('Command line', '/cli'),
          item('Console', '/console'),
          item('Assistants (MCP)', '/mcp'),
          item('Files', '/files-report'),
        ],
      },
      {
        text: 'Operations',
        items: [
          item('Deployment', '/deployment'),
          item('Scaling', '/scaling'),
          item('Upgrades', '/upgrade'),
          item('Metrics, traces, logs', '/operations'),
          item('Runbook', '/runbook'),
          item('Reliability', '/reliability'),
          item('Benchmarks', '/benchmarks'),
          item('Search quality', '/evaluation'),
        ],
      },
      {
        text: 'Design',
        items: [
          item('Architecture', '/architecture'),
          { text: 'Decisions', link: '/adr/', collapsed: true, items: decisions },
        ],
      },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
  markdown: {
    // `README.md` in a sentence is no address.
    linkify: false,
    // Links to headings are the same here and where the pages are read as files.
    anchor: { slugify: headingSlug },
    config: (markdown: Markdown) => {
      markdown.core.ruler.push('outside-links', ({ tokens, env }) => {
        for (const { children } of tokens) if (children !== null) linkOutside(env.path, children)
      })
      const fence = markdown.renderer.rules.fence
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const token = tokens[index]
        if (token?.info.trim() === 'mermaid') return `<Diagram code="${encodeURIComponent(token.content)}" />`
        return fence?.(tokens, index, ...rest) ?? ''
      }
    },
  },
  vite: {
    // The reference and Mermaid, which scripts/docs.ts puts there.
    publicDir: join(tools, 'public'),
    server: { fs: { allow: [docs, tools] } },
  },
}
