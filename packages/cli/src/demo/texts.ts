/** `name`: package or file; all parts of a long text share it. */
export type DemoText = { readonly id: string; readonly name: string; readonly text: string; readonly source: string }

export type Texts = {
  readonly texts: readonly DemoText[]
  /** Packages or files that the texts come from. */
  readonly sources: number
  /** Omitted texts by reason. */
  readonly skipped: Readonly<Record<string, number>>
}
