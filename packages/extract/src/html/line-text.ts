import { saysMore } from '../shared/link-address.ts'
import { withRaised } from '../shared/raised.ts'

/** HTML white space, which excludes the no-break space. */
const blanks = /[ \t\n\f\r]+/g

/** Collects the text of a paragraph and collapses runs of white space. */
export const lineText = () => {
  let parts: string[] = []
  /** Last character of the text. */
  let last = ''
  /** The open link and the number of parts before the link's words. */
  let link: { readonly address: string; readonly from: number } | undefined

  const push = (text: string): void => {
    if (text === '') return
    parts.push(text)
    last = text.slice(-1)
  }
  const isAtBlank = (): boolean => last === '' || last === ' ' || last === '\n'
  const add = (text: string): void => {
    const plain = text.replace(blanks, ' ')
    push(plain.startsWith(' ') && isAtBlank() ? plain.slice(1) : plain)
  }

  return {
    add,
    /** Adds preformatted text: its blanks and line ends are kept. */
    addAsIs: push,
    /** Adds text with a blank before and after it. */
    addApart: (text: string): void => add(` ${text} `),
    /** Adds text after a blank; if a blank already precedes the text, another one follows it. */
    addBehind(text: string): void {
      push(isAtBlank() ? `${text} ` : ` ${text}`)
    },
    addRaised: (text: string): void => add(withRaised(parts.at(-1) ?? '', text)),
    endLine(): void {
      if (last !== '') push('\n')
    },
    beginLink(address: string): void {
      link = { address, from: parts.length }
    },
    /** Ends the open link if it has words. Returns its address if it says more than the words. */
    endLink(): string | undefined {
      if (!link) return undefined
      const { address, from } = link
      const words = parts.slice(from).join('').replace(/\s+/g, ' ').trim()
      link = words === '' ? { address, from: 0 } : undefined
      return words !== '' && saysMore(words, address) ? address : undefined
    },
    dropLink(): void {
      link = undefined
    },
    /** Ends the paragraph and returns its text. */
    end(): string {
      const text = parts.join('')
      parts = []
      last = ''
      return text
    },
  }
}
