/** One text to index. `name` is the package or the file it comes from; the parts of a long one share it. */
export type DemoText = { readonly id: string; readonly name: string; readonly text: string; readonly source: string }

export type Texts = {
  readonly texts: readonly DemoText[]
  /** Packages or files the texts come from. */
  readonly sources: number
  /** What was left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
}
