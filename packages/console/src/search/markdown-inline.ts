/** `start`: offset in the text. */
export type Part = { readonly text: string; readonly start: number }
/** Its parts know their offsets, so that marks are found in them. */
export type Element = {
  readonly tag: string
  readonly props?: { readonly href?: string }
  readonly children: readonly Node[]
}
export type Node = Part | Element

// No alternative passes over the character that begins it: a line is read in linear time.
const token =
  /(?<escaped>\\)[!-/:-@[-`{-~]|(?<ticks>`{1,2})[^`\n]+\k<ticks>(?!`)|!?\[(?<label>[^[\]\n]{1,1000})\]\((?<href>(?:[^()\s]|\([^()\s]{0,200}\)){1,2000})(?: +"[^"\n]{0,300}")?\)|https?:\/\/[^\s<>()[\]|`*]*[^\s<>()[\]|`*.,;:!?'"]|(?<![\p{L}\p{N}])(?<mark>\*\*|__|[*_])(?=\S)(?<content>(?:(?!\k<mark>).)+)(?<!\s)\k<mark>(?![\p{L}\p{N}])/gu
const tags: Readonly<Record<string, string>> = { '**': 'strong', __: 'strong', '*': 'em', _: 'em' }
const safeScheme = /^(?:https?:\/\/|mailto:)/i

export const parseInline = ({ text, start }: Part): readonly Node[] => {
  const nodes: Node[] = []
  let from = 0
  const addText = (to: number) => {
    if (to > from) nodes.push({ text: text.slice(from, to), start: start + from })
  }
  for (const { 0: found, index, groups = {} } of text.matchAll(token)) {
    addText(index)
    const { escaped, ticks, label, href = found, mark, content } = groups
    const before = escaped ?? ticks ?? mark ?? (label === undefined ? '' : found.slice(0, found.indexOf('[') + 1))
    const inner = content ?? label ?? found.slice(before.length, found.length - (ticks?.length ?? 0))
    const part = { text: inner, start: start + index + before.length }
    const children = mark || (label && !/https?:/.test(label)) ? parseInline(part) : [part]
    if (mark || ticks) nodes.push({ tag: mark ? (tags[mark] ?? 'em') : 'code', children })
    else if (!escaped && safeScheme.test(href)) nodes.push({ tag: 'a', props: { href }, children })
    else nodes.push(...children)
    from = index + found.length
  }
  addText(text.length)
  return nodes
}
