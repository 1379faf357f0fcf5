import { html, Parser, Token } from 'parse5'
import { type HtmlElement, HtmlTree, type HtmlTypes, treeAdapter } from './tree.ts'

/** The parser reads everything after their start tag as text. */
const rawText = new Set(['title', 'textarea', 'script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext'])

/** Treats a self-closing element (`<title/>`) as empty, unlike browsers, so that one parser reads HTML and XHTML. */
class PageParser extends Parser<HtmlTypes> {
  isXml = false
  override _setContextModes(...context: Parameters<Parser<HtmlTypes>['_setContextModes']>): void {
    super._setContextModes(...context)
    if (this.isXml) this.tokenizer.inForeignNode = true
  }
  override onStartTag(token: Token.TagToken): void {
    const isEmpty = token.selfClosing && this.openElements.current?.namespace !== html.NS.SVG
    if (isEmpty && rawText.has(token.tagName)) return
    super.onStartTag(token)
    if (isEmpty && !token.ackSelfClosing)
      this.onEndTag({ ...token, type: Token.TokenType.END_TAG, attrs: [], selfClosing: false })
  }
}

export type ParseOptions = { readonly isXml?: boolean; readonly ids?: ReadonlySet<string> }

/** UTF-16 units. The parser joins an incomplete tag with each new piece, so small pieces make long tags slow. */
const pieceUnits = 512 * 1024

/** Parses as browsers do, piece by piece. In XHTML (`isXml`), CDATA sections are text. Keeps only ids in `ids`. */
export const htmlParser = ({ isXml = false, ids = new Set<string>() }: ParseOptions = {}) => {
  const tree = new HtmlTree(ids)
  // Without scripting, the content of `noscript` is elements.
  const parser = new PageParser({ treeAdapter: treeAdapter(tree), scriptingEnabled: false })
  parser.isXml = isXml
  parser.tokenizer.inForeignNode = isXml
  let waiting = ''
  const parse = (isLast: boolean): void => {
    parser.tokenizer.write(waiting, isLast)
    tree.joinText()
    waiting = ''
  }
  return {
    write(text: string): void {
      waiting += text
      if (waiting.length >= pieceUnits) parse(false)
    },
    end(): HtmlElement {
      parse(true)
      return parser.document
    },
  }
}
