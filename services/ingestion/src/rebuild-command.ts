import { parseArgs } from 'node:util'
import { AppError } from '@cairn/contracts/errors'
import { pagesOf } from '@cairn/contracts/flow/pages-of'
import type { Page } from '@cairn/domain/protocol/page'
import { type RebuildDeps, rebuildIndex } from './rebuild-index.ts'

export type RebuildCommandDeps = RebuildDeps & {
  /** Chosen by the operator for new namespaces. */
  readonly configuredEmbedder: string
  readonly write: (text: string) => void
}

/** Runs `rebuild [--reembed] [<namespace id>…]`. Returns the exit code: 1 when namespaces were skipped. */
export const rebuildCommand = async (
  { configuredEmbedder, write, ...deps }: RebuildCommandDeps,
  args: readonly string[],
): Promise<0 | 1> => {
  const options = { reembed: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  await deps.embedders.current().settled()
  // The fallback must never replace a model that is only temporarily missing.
  if (values.reembed && deps.embedders.current().model.provider !== configuredEmbedder)
    throw new AppError(
      'unavailable',
      "The configured embedder can't be used, so nothing is embedded again: see /readyz or `npm run model`.",
    )
  const rebuilt = await rebuildIndex(deps)({ only: positionals, reembed: values.reembed })
  write(`${JSON.stringify(rebuilt)}\n`)
  return rebuilt.skipped.length > 0 ? 1 : 0
}

const namespacesOf = ({ namespaces }: RebuildDeps['store']) =>
  pagesOf(
    100,
    (page: Page) => namespaces.page(page),
    ({ id }) => id,
  )

/** Marks all namespaces; until their points are written again, searches say `degraded`. */
export const markLost = async ({ store, clock }: Pick<RebuildDeps, 'store' | 'clock'>): Promise<void> => {
  for await (const page of namespacesOf(store))
    for (const { id } of page) await store.indexAudit.markLost(id, clock.now())
}

/** Writes the points of all marked namespaces, also after a process that ended meanwhile. */
export const restoreMarked = async (deps: RebuildDeps): Promise<void> => {
  const only: string[] = []
  for await (const page of namespacesOf(deps.store))
    only.push(...page.flatMap(({ id, lostPointsAt }) => (lostPointsAt ? [id] : [])))
  if (only.length > 0) await rebuildIndex(deps)({ only })
}
