import { headingLevel } from './headings.ts'
import { findLinkLists } from './link-lists.ts'
import { attributeOf, type HtmlElement, type HtmlNode, isElement } from './tree.ts'
import { visit } from './walk.ts'
import { isDrawn } from './whole.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Code, form values, fallbacks, readings above characters. */
const unread = names(
  'head script style template input select textarea datalist optgroup option progress meter audio video canvas iframe frame noembed noframes param source track col colgroup rt rp rtc',
)
const navigation = names('nav noscript search')
const navigationRoles = names('navigation search dialog alertdialog')
const surroundings = names('header footer aside')
const surroundingRoles = names('banner contentinfo complementary')
const content = names('main article')

const readNamespaces = /^http:\/\/www\.w3\.org\/(?:1998\/Math\/MathML|1999\/xhtml|2000\/svg)$/
const isReadCase = (node: HtmlNode): boolean =>
  isElement(node) &&
  node.name === 'epub:case' &&
  readNamespaces.test(attributeOf(node, 'required-namespace')?.trim() ?? '')

/** Whether an alternative of an `epub:switch` is not the first readable one. */
const isOtherCase = (element: HtmlElement): boolean => {
  if (element.name !== 'epub:default' && element.name !== 'epub:case') return false
  for (let node = element.previous; node; node = node.previous) if (isReadCase(node)) return true
  return element.name === 'epub:case' && !isReadCase(element)
}

/** Browsers do show a template that is the shadow root of an element. */
const isUnread = (element: HtmlElement): boolean =>
  (unread.has(element.name) &&
    !(element.name === 'template' && attributeOf(element, 'shadowrootmode') !== undefined)) ||
  isOtherCase(element)

const roleOf = (element: HtmlElement): string => attributeOf(element, 'role')?.trim().toLowerCase() ?? ''

const isHidden = (element: HtmlElement): boolean => {
  const hidden = attributeOf(element, 'hidden')
  // `until-found` content is shown once a search in the page finds it.
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true
  if (element.name === 'dialog' && attributeOf(element, 'open') === undefined) return true
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(attributeOf(element, 'style') ?? '')
}

/** Whether the element draws the equation before it, for eyes only. Other `aria-hidden` elements are the only text. */
const isVisualCopyOfEquation = (element: HtmlElement): boolean => {
  const { previous } = element
  if (attributeOf(element, 'aria-hidden') !== 'true' || !previous || !isElement(previous)) return false
  return [previous, previous.first].some((node) => node && isElement(node) && node.name === 'math')
}

const isContent = (element: HtmlElement): boolean => content.has(element.name) || content.has(roleOf(element))

type Part = 'hidden' | 'navigation' | 'surroundings'

/** Returns undefined for content by the HTML standard. `inContent`: the element is in main or article. */
const partOf = (element: HtmlElement, inContent: boolean): Part | undefined => {
  if (isHidden(element)) return 'hidden'
  const role = roleOf(element)
  if (navigation.has(element.name) || navigationRoles.has(role)) return 'navigation'
  if (!inContent && (surroundings.has(element.name) || surroundingRoles.has(role))) return 'surroundings'
  return undefined
}

const wordsIn = (text: string): number => {
  let count = 0
  for (const _ of text.matchAll(/\S+/g)) count++
  return count
}

export type LeftOut = {
  /** Call `close` after the element if its content was visited. */
  readonly open: (element: HtmlElement) => 'read' | 'hidden' | 'left out' | 'unread'
  readonly close: (element: HtmlElement) => void
  /** Words, those left out of navigation and surroundings. */
  readonly hiddenWords: number
  readonly surroundingWords: number
}

/** Headers outside of the content whose heading is above all headings of the content. */
const findTitles = (root: HtmlElement): ReadonlySet<HtmlElement> => {
  const headers = new Map<HtmlElement, number>()
  const open: HtmlElement[] = []
  let contentLevel = 7
  visit(root, {
    open(element) {
      if (isUnread(element) || isHidden(element)) return false
      const level = headingLevel(element) ?? 7
      const [outer] = open
      if (outer && isContent(outer)) contentLevel = Math.min(contentLevel, level)
      else if (outer) headers.set(outer, Math.min(headers.get(outer) ?? 7, level))
      if (isContent(element) || element.name === 'header' || roleOf(element) === 'banner') open.push(element)
      return true
    },
    close(element) {
      if (element === open.at(-1)) open.pop()
    },
    text() {},
  })
  return new Set([...headers].flatMap(([header, level]) => (level < contentLevel ? [header] : [])))
}

/**
 * Decides which parts of a page are left out; the caller decides about hidden ones. On a website's page, navigation is
 * left out unless there is no other text; headers, footers and asides are left out if a main part or an article has
 * text.
 */
export const findLeftOut = (root: HtmlElement, isOfSite: boolean): LeftOut => {
  const linkLists: ReadonlySet<HtmlElement> = isOfSite
    ? findLinkLists(root, (element) => !isUnread(element) && !isHidden(element))
    : new Set()
  const titles = isOfSite ? findTitles(root) : new Set()
  const kindOf = (element: HtmlElement, inContent: boolean): Part | undefined =>
    linkLists.has(element) ? 'navigation' : partOf(element, inContent || titles.has(element))
  const words = { hidden: 0, navigation: 0, surroundings: 0, content: 0, other: 0 }
  const open: (keyof typeof words)[] = ['other']
  /** Open equations and drawings, which are read as a whole. */
  let drawings = 0
  visit(root, {
    open(element) {
      if (isUnread(element)) return false
      // Marked now, because the equation is emptied once it is read.
      if (isVisualCopyOfEquation(element)) element.attributes = [...element.attributes, { name: 'hidden', value: '' }]
      const above = open.at(-1) ?? 'other'
      const isSettled = above === 'hidden' || above === 'navigation' || drawings > 0
      if (isDrawn(element)) drawings++
      const part = isSettled ? above : kindOf(element, above === 'content')
      open.push(part ?? (above === 'other' && isContent(element) ? 'content' : above))
      return true
    },
    close(element) {
      if (isDrawn(element)) drawings--
      open.pop()
    },
    text(text) {
      words[open.at(-1) ?? 'other'] += wordsIn(text)
    },
  })
  const leavesSurroundings = isOfSite && words.content > 0
  const leavesNavigation = isOfSite && words.content + words.surroundings + words.other > 0
  let contentDepth = 0
  return {
    hiddenWords: words.hidden,
    surroundingWords: (leavesNavigation ? words.navigation : 0) + (leavesSurroundings ? words.surroundings : 0),
    open(element) {
      if (isUnread(element)) return isHidden(element) ? 'left out' : 'unread'
      const part = kindOf(element, contentDepth > 0)
      if (part === 'hidden') return 'hidden'
      if ((part === 'navigation' && leavesNavigation) || (part === 'surroundings' && leavesSurroundings))
        return 'left out'
      if (isContent(element)) contentDepth++
      return 'read'
    },
    close(element) {
      if (isContent(element) && !isHidden(element)) contentDepth--
    },
  }
}
