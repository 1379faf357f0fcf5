export type DemoQuery = {
  readonly query: string
  /** The package whose README answers it. */
  readonly expected: string
}

/**
 * What someone might ask who doesn't know the package: in other words than its README, so that only search by meaning finds it.
 * No query has a word of the package's name or of its README's first line; the test beside this file holds them to it.
 * They were written before a model had been asked, and stay as they are whatever the figures say: a measure that is adjusted
 * to what it measures says nothing.
 */
export const demoQueries: readonly DemoQuery[] = [
  { query: 'tell which of two release numbers is newer and whether upgrading to it is allowed', expected: 'semver' },
  { query: 'skip whatever must never be committed to the repository', expected: 'ignore' },
  { query: 'read an old Russian or Japanese web page whose letters come out garbled', expected: 'iconv-lite' },
  { query: 'short unguessable keys for new rows of a database', expected: 'nanoid' },
  { query: 'monitor how busy a web service is and how slowly it answers, with graphs and alerts', expected: 'prom-client' },
  {
    query: 'invent hundreds of odd inputs to find one that makes my function fail, then make that one as small as possible',
    expected: 'fast-check',
  },
  { query: 'tell whether a visitor comes from our internal subnet or from the public internet', expected: 'ipaddr.js' },
  { query: 'pack a whole folder into one smaller file for mailing and unpack it again later', expected: 'adm-zip' },
  { query: 'find code and libraries that nobody needs any more so that I can delete them', expected: 'knip' },
  { query: 'can a search pattern from a stranger make my server hang for minutes', expected: 'safe-regex' },
  { query: 'my script has finished its work but never exits: what keeps it alive', expected: 'why-is-node-running' },
  { query: 'shrink style sheets so that pages load quicker, also in outdated browsers', expected: 'lightningcss' },
]
