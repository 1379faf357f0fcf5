/** Input of a summary. */
export type SummarySource = { readonly text: string; readonly heading: string }

/**
 * Summarizes at most 100 chunks of a file, in reading order: 1 to 1,000 code points, in the languages of the chunks.
 * The same chunks yield the same text if the implementation can guarantee it. A rejected call may be retried.
 */
export type Summariser = (chunks: readonly SummarySource[]) => Promise<string>
