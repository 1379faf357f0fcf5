export type Row = {
  readonly id: string
  readonly vector: Float32Array /** 0 to 9, a tenth of the rows each. */
  readonly bucket: number
}
export type Filter = { readonly bucket: number }

/** What every side is given: rows to store, and queries that are not among them. */
export type Data = {
  readonly name: string
  readonly dimension: number
  readonly rows: readonly Row[]
  readonly queries: readonly Float32Array[]
}

/** One way to store vectors and to search them by cosine. */
export type Side = {
  readonly name: string
  /** Rows of one call; when it resolves they are as durable as the side makes them. */
  ingest(rows: readonly Row[]): Promise<void>
  /** What lies between the last row and the first search: building an index, compaction. Timed apart from both. */
  prepare?(): Promise<void>
  /** Ids of the nearest ten, best first. */
  search(vector: Float32Array, filter?: Filter): Promise<string[]>
  /** Ends it and removes its files. */
  close(): Promise<void>
  readonly canFilter: boolean
}

/** Opens a side on an empty place for data of one dimension. */
export type OpenSide = (data: Pick<Data, 'dimension'>) => Promise<Side>
