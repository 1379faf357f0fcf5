/** What a summary is made of. */
export type SummarySource = { readonly text: string; readonly heading: string }

/**
 * At most 100 chunks of a file, in reading order, to a short text that says what they are about: 1 to 1,000 code points, in the
 * languages of the chunks. The same chunks give the same text wherever the implementation can promise it; a rejected call may be
 * tried again.
 */
export type Summariser = (chunks: readonly SummarySource[]) => Promise<string>
