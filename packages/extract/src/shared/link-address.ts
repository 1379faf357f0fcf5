const maxAddress = 2_000
/** Length from which only the path of an address is kept: the query usually identifies a user or a visit. */
const longAddress = 200
const isAddress = /^(?:https?:\/\/|mailto:)\S+$/i

const redirectTarget = /[?&](?:url|u|q|to|target|redirect)=(https?%3A%2F%2F[^&]*)/i
/** Matches an address within an address, and runs of letters and digits that identify a user or a visit. */
const opaque = /%(?:2F|3[ADF])|(?=[a-z]*\d)[a-z\d]{24,}/i

/**
 * Returns the readable part of a long address: the page it redirects to, without the query. Undefined if the path
 * identifies a user or a visit, too.
 */
const readablePage = (address: string): string | undefined => {
  const target = redirectTarget.exec(address)?.[1]?.replace(/%3A/i, ':').replace(/%2F/gi, '/')
  const page = (target ?? address).replace(/[?#].*$/s, '')
  return page.length <= longAddress && !opaque.test(page) ? page : undefined
}

/**
 * Returns the address of a link as shown in the text; undefined if it is too long, says nothing or is not the address of
 * a page or a mailbox.
 */
export const shownAddress = (address: string): string | undefined => {
  if (address.length > maxAddress || !isAddress.test(address)) return undefined
  return address.length > longAddress ? readablePage(address) : address
}

/** Matches an address in plain text that is too long to be written by hand, with the brackets around it. */
const longInText = /( ?)([<([]?)(https?:\/\/[^\s<>()[\]"]{72,})([>)\]]?)/gi

/**
 * Returns plain text with only the readable part of each long address. An address without a readable part is left out;
 * within a sentence its host is kept.
 */
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

/**
 * Whether the words of a link contain its address or are the beginning of its address, so that the address need not
 * follow.
 */
export const isAddressText = (words: string, address: string): boolean =>
  (words.includes('.') && plain(address).startsWith(plain(words).replace(/(?:…|\.{3})$/, ''))) ||
  plain(words).includes(plain(address))

/** Words of links that do not say where the link leads. */
const pointing =
  /^(?:(?:click |read |learn |see )?(?:here|more)|(?:this )?(?:link|page|site|website)|hier|mehr|link|aquí|más|ici|plus|lien|qui|这里|點此|此处|链接|ここ)$/iu

/**
 * Whether the address of a link on a page says something that its words do not: a mailbox, or the target of words such as
 * "here". Other addresses, which are often longer than the text and full of marks of visits, are no text.
 */
export const saysMore = (words: string, address: string): boolean =>
  !isAddressText(words, address) && (/^mailto:/i.test(address) || pointing.test(words.trim()))
