/** Figures of one round of one side, by name. */
export type Measured = Readonly<Record<string, number>>

export type Figure = {
  readonly name: string
  readonly unit: string
  /** Digits after the point, when it is printed. */
  readonly digits: number
}

/**
 * A limit. With two sides it applies to the ratio of their medians, first over second, and is undecided when either side's rounds
 * spread too far. With one side it applies to the median, and is undecided only when rounds that spread too far also disagree.
 */
export type Mark = {
  readonly what: string
  readonly figure: string
  readonly sides: readonly [side: string] | readonly [side: string, over: string]
  readonly atLeast?: number
  readonly atMost?: number
}

/** Compares two sides without a limit, where the other side is a stand-in. */
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
  /** Further flags of Node for subjects, such as `--cpu-prof`. */
  readonly nodeFlags: readonly string[]
  /** An empty folder that is removed after the row. */
  readonly directory: string
}

export type Side = { readonly name: string; round(): Promise<Measured> }
export type OpenRow = { readonly sides: readonly Side[]; close?(): Promise<void> }

/** A row of docs/benchmarks.md. */
export type Row = {
  readonly name: string
  readonly what: string
  /** Says how it is measured, for readers of the figures. */
  readonly method: string
  /** Whether the load runs on one core and the measured process on the other. Default: no. */
  readonly pinned?: boolean
  /** Rounds each side does first that do not count. Default: 1. */
  readonly warmUps?: number
  readonly figures: readonly Figure[]
  readonly marks?: readonly Mark[]
  readonly comparisons?: readonly Comparison[]
  /** Resolves to the reason why it can't be run here. */
  missing?(): Promise<string | undefined>
  open(context: Context): Promise<OpenRow>
}
