const maxAddress = 2_000
/** From this length on, only the path is kept: the query usually identifies a user or a visit. */
const longAddress = 200
const isAddress = /^(?:https?:\/\/|mailto:)\S+$/i

const redirectTarget = /[?&](?:url|u|q|to|target|redirect)=(https?%3A%2F%2F[^&]*)/i
/** An address within an address, or letters and digits that identify a user or a visit. */
const opaque = /%(?:2F|3[ADF])|(?=[a-z]*\d)[a-z\d]{24,}/i

/** Returns the target of a redirect, without the query; undefined if the path identifies a user or a visit, too. */
const readablePage = (address: string): string | undefined => {
  const target = redirectTarget.exec(address)?.[1]?.replace(/%3A/i, ':').replace(/%2F/gi, '/')
  const page = (target ?? address).replace(/[?#].*$/s, '')
  return page.length <= longAddress && !opaque.test(page) ? page : undefined
}

/** Returns undefined if the address is too long, says nothing or is not that of a page or a mailbox. */
export const shownAddress = (address: string): string | undefined => {
  if (address.length > maxAddress || !isAddress.test(address)) return undefined
  return address.length > longAddress ? readablePage(address) : address
}

/** Too long to be written by hand; with the brackets around it. */
const longInText = /( ?)([<([]?)(https?:\/\/[^\s<>()[\]"]{72,})([>)\]]?)/gi

/** Shortens long addresses to their readable part; without one, to nothing, or to the host within a sentence. */
export const withShownAddresses = (text: string): string =>
  text.replace(longInText, (all: string, blank: string, open: string, address: string, close: string, at: number) => {
    const page = readablePage(address)
    const end = at + all.length
    const isAlone =
      /(?:^|\n)[> \t]*$/.test(text.slice(Math.max(0, at - 20), at)) && /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 20))
    if (page === undefined && ((open && close) || isAlone)) return ''
    return blank + open + (page ?? /^https?:\/\/[^/]+/i.exec(address)?.[0]) + close
  })

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, '')
    .replace(/\/$/, '')

/** Whether the words contain the address or are its beginning, so that it need not follow. */
export const isAddressText = (words: string, address: string): boolean =>
  (words.includes('.') && plain(address).startsWith(plain(words).replace(/(?:…|\.{3})$/, ''))) ||
  plain(words).includes(plain(address))

/** Do not say where the link leads. */
const pointing =
  /^(?:(?:click |read |learn |see )?(?:here|more)|(?:this )?(?:link|page|site|website)|hier|mehr|link|aquí|más|ici|plus|lien|qui|这里|點此|此处|链接|ここ)$/iu

/**
 * Whether the address says something that the words do not: a mailbox, or the target of words such as "here". Other
 * addresses, often longer than the text and full of marks of visits, are no text.
 */
export const saysMore = (words: string, address: string): boolean =>
  !isAddressText(words, address) && (/^mailto:/i.test(address) || pointing.test(words.trim()))
