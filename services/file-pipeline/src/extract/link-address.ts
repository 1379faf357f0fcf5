const maxAddress = 2_000
/** Length from which only the path of an address is kept: the query usually identifies a user or a visit. */
const longAddress = 200
const isAddress = /^(?:https?:\/\/|mailto:)\S+$/i

/**
 * Returns the address of a link as shown in the text; undefined if it is too long or not the address of a page or a
 * mailbox.
 */
export const shownAddress = (address: string): string | undefined => {
  if (address.length > maxAddress || !isAddress.test(address)) return undefined
  return address.length > longAddress ? address.replace(/[?#].*$/s, '') : address
}

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
