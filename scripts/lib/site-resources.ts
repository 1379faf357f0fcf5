/**
 * Returns a line for each resource (script, style sheet, picture or frame) that a page loads from another origin. Links
 * are not resources.
 */
export const foreignResources = (page: string, html: string): string[] =>
  [...html.matchAll(/<(script|link|img|iframe|source|video|audio|object|embed)\b[^>]*>/gi)].flatMap(([tag]) =>
    [...tag.matchAll(/\s(?:src|href|srcset|data)="((?:https?:)?\/\/[^"]*)"/gi)].map(
      ([, address]) => `${page}: ${address}`,
    ),
  )

/** Returns a line for each link on a page to a file that the site lacks. The site is served under `base`. */
export const deadAddresses = (
  page: string,
  html: string,
  base: string,
  exists: (path: string) => boolean,
): string[] => {
  const addresses = [...html.matchAll(/<a\b[^>]*\shref="(\/[^"#?]*)/gi)].map(([, address = '']) => address)
  return [...new Set(addresses)].flatMap((address) => {
    const path = address.startsWith(base) ? decodeURI(address.slice(base.length)) : undefined
    const file = path === '' || path?.endsWith('/') ? `${path}index.html` : path
    return file !== undefined && exists(file) ? [] : [`${page}: ${address}`]
  })
}
