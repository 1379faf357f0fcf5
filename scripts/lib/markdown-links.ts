import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** A link to a file of the repository, as written on its page; `path` and `fragment` may be empty. */
type Link = { readonly line: number; readonly path: string; readonly fragment: string }

/** Returns the URL fragment that GitHub generates for a heading. */
export const headingSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

/**
 * Returns the lines with inline code removed and fenced lines emptied, so that code is not taken for links or headings.
 */
export const withoutCode = (markdown: string): string[] => {
  let fence: string | undefined
  return markdown.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && mark !== undefined) fence = mark
    else if (fence !== undefined) {
      if (line.trim().startsWith(fence)) fence = undefined
      return ''
    }
    return mark === undefined ? line.replace(/`[^`]*`/g, '') : ''
  })
}

const linksOf = (markdown: string): Link[] =>
  withoutCode(markdown).flatMap((line, index) =>
    [...line.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return []
      const [path = '', fragment = ''] = target.split('#')
      return [{ line: index + 1, path, fragment }]
    }),
  )

/** Returns the fragments of a page's headings; GitHub numbers repeated headings. */
const fragmentsOf = (markdown: string): Set<string> => {
  const seen = new Map<string, number>()
  const isCode = withoutCode(markdown).map((line) => line === '')
  const slugs = markdown.split('\n').flatMap((line, index) => {
    const heading = isCode[index] ? undefined : /^#{1,6} (.*)/.exec(line)?.[1]
    if (heading === undefined) return []
    const slug = headingSlug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return [count === 0 ? slug : `${slug}-${count}`]
  })
  return new Set(slugs)
}

/**
 * Returns a line for each link on these pages (paths relative to `root`) whose target file or heading does not exist.
 */
export const deadLinks = (root: string, pages: readonly string[]): string[] =>
  pages.flatMap((page) => {
    const file = join(root, page)
    return linksOf(readFileSync(file, 'utf8')).flatMap(({ line, path, fragment }) => {
      const target = path === '' ? file : resolve(dirname(file), decodeURI(path))
      const fault = (what: string) => [`${page}:${line}: ${relative(root, target)}${what}`]
      if (!existsSync(target)) return fault(' does not exist')
      if (fragment === '' || !target.endsWith('.md') || statSync(target).isDirectory()) return []
      return fragmentsOf(readFileSync(target, 'utf8')).has(decodeURI(fragment))
        ? []
        : fault(` has no heading #${fragment}`)
    })
  })
