/** One text to index. `name` is its package or file; all parts of a long text have the same name. */
export type DemoText = { readonly id: string; readonly name: string; readonly text: string; readonly source: string }

export type Texts = {
  readonly texts: readonly DemoText[]
  /** Number of packages or files that the texts come from. */
  readonly sources: number
  /** Number of omitted texts by reason. */
  readonly skipped: Readonly<Record<string, number>>
}
