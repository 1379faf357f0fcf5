/** Figures of one round of one side, by name. */
export type Measured = Readonly<Record<string, number>>

export type Figure = {
  readonly name: string
  readonly unit: string
  /** Number of printed decimal places. */
  readonly digits: number
}

/**
 * A limit. With two sides, the limit applies to the ratio of their medians, first over second, and the result is
 * undecided if the rounds of either side spread too far. With one side, the limit applies to the median, and the result
 * of rounds that spread too far is undecided only if they also disagree. With fewer than five rounds, the result is
 * always undecided.
 */
export type Mark = {
  readonly what: string
  readonly figure: string
  readonly sides: readonly [side: string] | readonly [side: string, over: string]
  readonly atLeast?: number
  readonly atMost?: number
}

/** A comparison of two sides without a limit, for rows whose other side is a stand-in. */
export type Comparison = {
  readonly what: string
  readonly figure: string
  readonly sides: readonly [side: string, other: string]
  /** Ratio or difference of the medians. */
  readonly as: 'ratio' | 'difference'
}

export type Context = {
  /** Short rounds and small data: shows only that a row works. */
  readonly quick: boolean
  /** Size of each file, for rows that allow any size; undefined: the row's default size. */
  readonly megabytes: number | undefined
  /** The core for the measured process in a pinned row; the load runs on the other core. */
  readonly subjectCore: number | undefined
  /** Additional flags of Node for subjects, such as `--cpu-prof`. */
  readonly nodeFlags: readonly string[]
  /** Folder that is empty at first and removed after the row. */
  readonly directory: string
}

export type Side = { readonly name: string; round(): Promise<Measured> }
export type OpenRow = { readonly sides: readonly Side[]; close?(): Promise<void> }

/** A row of docs/benchmarks.md. */
export type Row = {
  readonly name: string
  readonly what: string
  /** Method of the measurement, for readers of the figures. */
  readonly method: string
  /** Whether the load runs on one core and the measured process on the other. Default: no. */
  readonly pinned?: boolean
  /** Number of initial rounds per side that do not count. Default: 1. */
  readonly warmUps?: number
  readonly figures: readonly Figure[]
  readonly marks?: readonly Mark[]
  readonly comparisons?: readonly Comparison[]
  /** Resolves to the reason why the row can't be run here, or undefined. */
  missing?(): Promise<string | undefined>
  open(context: Context): Promise<OpenRow>
}
