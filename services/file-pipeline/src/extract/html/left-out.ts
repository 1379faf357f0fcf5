import { attributeOf, type HtmlElement } from './tree.ts'
import { visit } from './walk.ts'
import { isDrawn } from './whole.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements whose content is no text of the page: code, values of forms, fallbacks, readings above characters. */
const unread = names(
  'head script style template input select textarea datalist optgroup option progress meter audio video canvas iframe frame noembed noframes param source track col colgroup rt rp rtc',
)
const navigation = names('nav noscript search')
const navigationRoles = names('navigation search dialog alertdialog')
const surroundings = names('header footer aside')
const surroundingRoles = names('banner contentinfo complementary')
const content = names('main article')

const roleOf = (element: HtmlElement): string => attributeOf(element, 'role')?.trim().toLowerCase() ?? ''

const isHidden = (element: HtmlElement): boolean => {
  const hidden = attributeOf(element, 'hidden')
  // A browser shows what is hidden until it is searched for.
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true
  if (attributeOf(element, 'aria-hidden')?.toLowerCase() === 'true') return true
  if (element.name === 'dialog' && attributeOf(element, 'open') === undefined) return true
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(attributeOf(element, 'style') ?? '')
}

const isContent = (element: HtmlElement): boolean => content.has(element.name) || content.has(roleOf(element))

type Part = 'hidden' | 'navigation' | 'surroundings'

/** Returns how the standard marks an element that is none of the page's content. `inContent`: it is in main or article. */
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
  /** Tells whether the content of an element is read. Call `close` after it if it is visited. */
  readonly open: (element: HtmlElement) => 'read' | 'hidden' | 'left out' | 'unread'
  readonly close: (element: HtmlElement) => void
  /** Numbers of words. */
  readonly hiddenWords: number
  readonly surroundingWords: number
}

/**
 * Decides which parts of a page are left out: hidden ones always; on a page of a site also navigation, unless there is
 * no other text, and headers, footers and asides if a main part or an article has text.
 */
export const findLeftOut = (root: HtmlElement, isOfSite: boolean): LeftOut => {
  const words = { hidden: 0, navigation: 0, surroundings: 0, content: 0, other: 0 }
  /** The kind of text of each open element. */
  const open: (keyof typeof words)[] = ['other']
  /** Open equations and drawings, which are read as a whole. */
  let drawings = 0
  visit(root, {
    open(element) {
      if (unread.has(element.name)) return false
      const above = open.at(-1) ?? 'other'
      const isSettled = above === 'hidden' || above === 'navigation' || drawings > 0
      if (isDrawn(element)) drawings++
      const part = isSettled ? above : partOf(element, above === 'content')
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
      if (unread.has(element.name)) return isHidden(element) ? 'left out' : 'unread'
      const part = partOf(element, contentDepth > 0)
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
