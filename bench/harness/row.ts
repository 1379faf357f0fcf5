/** What one round of one side measured, by the figure's name. */
export type Measured = Readonly<Record<string, number>>

export type Figure = {
  readonly name: string
  readonly unit: string
  /** Digits after the point, when it is printed. */
  readonly digits: number
}

/**
 * What has to hold. With two sides it is the ratio of their medians, first over second, and undecided when either side's rounds
 * spread too far. With one side it is the median itself, and undecided only when rounds that spread too far also disagree.
 */
export type Mark = {
  readonly what: string
  readonly figure: string
  readonly sides: readonly [side: string] | readonly [side: string, over: string]
  readonly atLeast?: number
  readonly atMost?: number
}

/** Two sides beside each other without a bound, where the other side is a stand-in whose figures are its own. */
export type Comparison = {
  readonly what: string
  readonly figure: string
  readonly sides: readonly [side: string, other: string]
  /** Median over median, or median less median. */
  readonly as: 'ratio' | 'difference'
}

export type Context = {
  /** Short rounds and small data: shows that a row works, proves nothing. */
  readonly quick: boolean
  /** Size of each file, for rows that allow any size; undefined: the row's own size. */
  readonly megabytes: number | undefined
  /** The core for what is measured, while a row is pinned; the load has the other one. */
  readonly subjectCore: number | undefined
  /** Further flags of Node for subjects: a profile, or a setting that is to be tried. */
  readonly nodeFlags: readonly string[]
  /** An empty folder that is removed after the row. */
  readonly directory: string
}

export type Side = { readonly name: string; round(): Promise<Measured> }
export type OpenRow = { readonly sides: readonly Side[]; close(): Promise<void> }

/** A row of quality.md, or a comparison beside them. */
export type Row = {
  readonly name: string
  readonly what: string
  /** How it is measured, for whoever reads the figures. */
  readonly method: string
  /** Load on one core, what is measured on the other. */
  readonly pinned: boolean
  /** Rounds each side does first that do not count. */
  readonly warmUps: number
  readonly figures: readonly Figure[]
  readonly marks: readonly Mark[]
  readonly comparisons?: readonly Comparison[]
  /** Why it can't be run here. */
  missing?(): Promise<string | undefined>
  open(context: Context): Promise<OpenRow>
}
