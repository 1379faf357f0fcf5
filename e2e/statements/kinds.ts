export type Header = 'one' | 'two' | 'three'

/**
 * Layout of a kind of statement. Absent options are off or have their usual value; `columns`, `rules`, `header`,
 * `sign`, `ownClosing`, `beside` and `gap` are drawn at random instead.
 */
export type Look = {
  readonly columns?: number
  readonly rules?: 'none' | 'totals' | 'rows' | 'boxes' | 'grid' | 'shades'
  readonly header?: Header
  /** Place of the currency sign: in a separate column, in the cell of the number, or nowhere. */
  readonly sign?: 'own' | 'within' | 'none'
  /** Whether a closing parenthesis or a percent sign is in a separate column. */
  readonly ownClosing?: boolean
  readonly leaders?: boolean
  /**
   * Share of labels that are longer than their column. `beside`: the line on which the values of such a label are
   * printed.
   */
  readonly wrapped?: number
  readonly beside?: 'top' | 'middle' | 'bottom'
  readonly note?: boolean
  readonly unit?: boolean
  readonly percent?: boolean
  readonly languages?: readonly ('english' | 'german' | 'french' | 'spanish')[]
  readonly tables?: number
  readonly side?: boolean
  readonly repeats?: number
  readonly landscape?: boolean
  readonly size?: readonly [from: number, to: number]
  /** Minimum and maximum gap between columns, in points. */
  readonly gap?: readonly [from: number, to: number]
  readonly footnotes?: boolean
  /**
   * Makes the columns fill the page. Absent: they fill it in half of the statements, and are as wide as their content
   * in the others.
   */
  readonly isWide?: boolean
}

export const kinds: Readonly<Record<string, Look>> = {
  plain: { rules: 'none', sign: 'none', header: 'one' },
  totals: { rules: 'totals', sign: 'within' },
  'rules between rows': { rules: 'rows' },
  grid: { rules: 'grid', sign: 'none' },
  boxes: { rules: 'boxes' },
  shades: { rules: 'shades' },
  'signs in columns': { rules: 'totals', sign: 'own', ownClosing: true },
  'signs without rules': { rules: 'none', sign: 'own', ownClosing: true, columns: 3 },
  leaders: { rules: 'none', leaders: true, isWide: true, wrapped: 0 },
  'leaders and signs': { rules: 'totals', leaders: true, sign: 'own', isWide: true, wrapped: 0 },
  'labels wrap, values below': { wrapped: 0.35, beside: 'bottom' },
  'labels wrap, values above': { wrapped: 0.35, beside: 'top' },
  'labels wrap, values between': { wrapped: 0.25, beside: 'middle', rules: 'rows' },
  'two header rows': { header: 'two', columns: 3 },
  'three header rows': { header: 'three', columns: 4, size: [7, 9] },
  notes: { note: true },
  'notes and signs': { note: true, sign: 'own', ownClosing: true },
  units: { unit: true, sign: 'none' },
  segments: { columns: 6, header: 'two', size: [7, 8], gap: [6, 12] },
  'narrow gaps': { columns: 4, gap: [4, 8], sign: 'none' },
  changes: { percent: true, columns: 3, ownClosing: false },
  footnotes: { footnotes: true },
  'page breaks': { repeats: 3 },
  'page breaks within wrapped labels': { repeats: 3, wrapped: 0.3 },
  'two tables': { tables: 2 },
  'tables side by side': { tables: 2, side: true, columns: 2, landscape: true, wrapped: 0 },
  landscape: { landscape: true, columns: 7 },
  languages: { languages: ['german', 'french', 'spanish'] },
  'languages with wrapped labels': { languages: ['german', 'french', 'spanish'], wrapped: 0.3 },
  'one column': { columns: 1 },
}
