import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { headingSlug } from '../../scripts/lib/markdown-links.ts'
import { examplesOf, requestOfCurl, requestOfHttp } from '../../scripts/lib/request-examples.ts'
import { searchOptions, withKeywords } from './search.ts'

/** The parts of markdown-it that are used here. It is installed with VitePress, outside this repository (scripts/docs.ts). */
type Token = {
  type: string
  content: string
  info: string
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
  readonly renderer: { readonly rules: { fence?: Fence } }
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

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

type Fence = (tokens: Token[], index: number, ...rest: unknown[]) => string

/**
 * Renders a request of a page in every language, as tabs. The page has it once, as curl or as HTTP, which is also what a
 * reader of the file sees. The markup is that of VitePress's code groups, whose script switches the tabs.
 */
const requestTabs = (fence: Fence, tokens: Token[], index: number, ...rest: unknown[]): string | undefined => {
  const token = tokens[index]
  const language = token?.info.trim().split(' ')[0]
  if (token === undefined || (language !== 'http' && language !== 'sh')) return undefined
  const request = language === 'http' ? requestOfHttp(token.content) : requestOfCurl(token.content)
  if (request === undefined) return undefined
  const examples = examplesOf(request).map((example) =>
    // The command of the page stays as it is laid out there.
    language === 'sh' && example.label === 'curl' ? { ...example, code: token.content.trim() } : example,
  )
  const { info, content } = token
  const blocks = examples.map((example, at) => {
    Object.assign(token, { info: `${example.language}${at === 0 ? ' active' : ''}`, content: `${example.code}\n` })
    return fence(tokens, index, ...rest)
  })
  Object.assign(token, { info, content })
  const tabs = examples.map(
    ({ label }, at) =>
      `<input type="radio" name="group-${index}" id="tab-${index}-${at}" ${at === 0 ? 'checked' : ''}><label data-title="${escaped(label)}" for="tab-${index}-${at}">${label}</label>`,
  )
  return `<div class="vp-code-group"><div class="tabs">${tabs.join('')}</div><div class="blocks">${blocks.join('')}</div></div>`
}

const item = (text: string, link: string) => ({ text, link })
const reference = { text: 'Try the API', link: '/reference/index.html', target: '_self' }

const landing = {
  layout: 'home',
  hero: {
    name: 'Cairn',
    text: 'Search your own documents',
    tagline: 'Self-hosted: finds documents and files by meaning and by words, and answers questions from them.',
    actions: [
      { theme: 'brand', text: 'Get started', link: '/quick-start' },
      { theme: 'alt', text: 'HTTP API', link: '/api' },
      { theme: 'alt', text: 'Migrate', link: '/guides/migrate' },
    ],
  },
  features: [
    {
      title: 'One command',
      details: 'One process without other services, or a cluster on Kafka, MongoDB, Qdrant and S3, with the same API.',
      link: '/deployment',
      linkText: 'Deployment',
    },
    {
      title: 'Files as they are',
      details:
        'pdf, docx, xlsx, pptx, html, eml and more. Scans go through OCR; a hit names its page, sheet or heading.',
      link: '/guides/ingest-a-folder',
      linkText: 'Ingest a folder',
    },
    {
      title: 'Accepted means stored',
      details:
        'A document answered with 202 survives kill -9 and a power cut. Nothing comes twice, nothing comes back.',
      link: '/reliability',
      linkText: 'Reliability',
    },
  ],
} as const

export default {
  title: 'Cairn',
  description: 'A self-hosted data service: documents, files and search by meaning.',
  base: process.env['DOCS_BASE'] ?? '/',
  cacheDir: join(tools, 'cache'),
  // No request for an icon that does not exist.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // The first page is a table of contents where it is read as a file.
  transformPageData: (page: { readonly relativePath: string; frontmatter: object }) =>
    page.relativePath === 'index.md' ? { frontmatter: { ...page.frontmatter, ...landing } } : undefined,
  themeConfig: {
    nav: [
      item('Get started', '/quick-start'),
      item('Guides', '/guides/ingest-a-folder'),
      item('Reference', '/api'),
      item('Operations', '/deployment'),
    ],
    sidebar: [
      { text: 'Get started', items: [item('First steps', '/quick-start'), item('Concepts', '/concepts')] },
      {
        text: 'Guides',
        items: [
          item('Ingest a folder', '/guides/ingest-a-folder'),
          item('Search by meaning and words', '/guides/hybrid-search'),
          item('Filter', '/guides/filters'),
          item('Answer questions', '/guides/answers'),
          item('Choose a model', '/guides/models'),
          item('Use LangChain', '/guides/langchain'),
          item('Use LlamaIndex', '/guides/llamaindex'),
          item('Migrate to Cairn', '/guides/migrate'),
          item('Search without a server', '/guides/edge-store'),
          item('Read files without a server', '/guides/read-files'),
        ],
      },
      {
        text: 'Reference',
        items: [
          item('HTTP API', '/api'),
          reference,
          item('API notes', '/api-notes'),
          item('Compatibility', '/compatibility'),
          item('Errors', '/errors'),
          item('Limits and quotas', '/limits'),
          item('TypeScript', '/sdk'),
          item('Command line', '/cli'),
          item('Console', '/console'),
          item('Assistants (MCP)', '/mcp'),
        ],
      },
      {
        text: 'Operations',
        items: [
          item('One process', '/one-process'),
          item('Deployment', '/deployment'),
          item('Scaling', '/scaling'),
          item('Upgrades', '/upgrade'),
          item('Metrics, traces, logs', '/operations'),
          item('Runbook', '/runbook'),
          item('Reliability', '/reliability'),
        ],
      },
      { text: 'More', items: [item('Design and measurements', '/design')] },
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // An excerpt under each result.
        detailedView: true,
        miniSearch: { searchOptions },
        _render: (
          source: string,
          env: { relativePath: string },
          markdown: { render(source: string, env: object): string },
        ) => withKeywords(env.relativePath, markdown.render(source, env)),
      },
    },
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
        if (fence === undefined) return ''
        return requestTabs(fence, tokens, index, ...rest) ?? fence(tokens, index, ...rest)
      }
    },
  },
  vite: {
    // The reference and Mermaid, which scripts/docs.ts puts there.
    publicDir: join(tools, 'public'),
    server: { fs: { allow: [docs, tools] } },
  },
}
