/** Failures that are not retried, with what to do instead. */
type Refusal = {
  readonly kind: 'documents' | 'files'
  readonly reason: string
  readonly message: string
  readonly remedy: string
}

/** A request to retry, and its results so far. */
export type Retry = {
  readonly isDryRun: boolean
  /** Whether the request is about this reason. */
  isWanted(reason: string): boolean
  /** Whether the request names this reason, so that it is retried though it is permanent. */
  isNamed(reason: string): boolean
  refuse(refusal: Refusal): void
  refused(): (Refusal & { readonly count: number })[]
  readonly uploadIds: string[]
  readonly fileNames: string[]
}

export const createRetry = ({
  reason: reasons,
  dry_run: isDryRun,
}: {
  readonly reason?: readonly string[] | undefined
  readonly dry_run: boolean
}): Retry => {
  const refusals = new Map<string, Refusal & { count: number }>()
  return {
    isDryRun,
    isWanted: (reason) => reasons === undefined || reasons.includes(reason),
    isNamed: (reason) => reasons?.includes(reason) ?? false,
    refuse: (refusal) => {
      const key = JSON.stringify([refusal.kind, refusal.reason, refusal.remedy])
      const known = refusals.get(key)
      if (known) known.count += 1
      else refusals.set(key, { ...refusal, count: 1 })
    },
    refused: () => [...refusals.values()],
    uploadIds: [],
    fileNames: [],
  }
}
