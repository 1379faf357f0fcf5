import { parseArgs } from 'node:util'
import { AppError } from '@cairn/contracts/errors'
import { type RebuildDeps, rebuildIndex } from './rebuild-index.ts'

export type RebuildCommandDeps = RebuildDeps & {
  /** Provider that the operator chose for new namespaces. */
  readonly configuredEmbedder: string
  readonly write: (text: string) => void
}

/** Runs `rebuild [--reembed] [<namespace id>…]` and returns the exit code: 1 when namespaces were skipped. */
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
