import { isAddressText } from '../link-address.ts'

/** Blanks of HTML: a no-break space is none. */
const blanks = /[ \t\n\f\r]+/g

/** Collects the text of a paragraph, in which runs of blanks are one. */
export const lineText = () => {
  let parts: string[] = []
  /** The last character. */
  let last = ''
  /** The open link and the number of parts before its words. */
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
    /** Adds text whose blanks and line ends count. */
    addAsIs: push,
    /** Adds text apart from what is before and after it. */
    addApart: (text: string): void => add(` ${text} `),
    /** Adds text apart from what is before it. */
    addBehind(text: string): void {
      push(isAtBlank() ? `${text} ` : ` ${text}`)
    },
    endLine(): void {
      if (last !== '') push('\n')
    },
    beginLink(address: string): void {
      link = { address, from: parts.length }
    },
    /** Ends the open link if it has words; returns its address unless they show it. */
    endLink(): string | undefined {
      if (!link) return undefined
      const { address, from } = link
      const words = parts.slice(from).join('').replace(/\s+/g, '')
      link = words === '' ? { address, from: 0 } : undefined
      return words === '' || isAddressText(words, address) ? undefined : address
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
