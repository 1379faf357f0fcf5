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
