import { limits } from '@cairn/contracts/limits'

/** With advice. */
type Refusal = {
  readonly kind: 'documents' | 'files'
  readonly reason: string
  readonly message: string
  readonly remedy: string
}

/** Conditions of a retry request, and its results so far. */
export const createRetry = ({
  reason: reasons,
  dry_run: isDryRun,
}: {
  readonly reason?: readonly string[] | undefined
  readonly dry_run: boolean
}) => {
  const refusals = new Map<string, Refusal & { count: number; readonly names: string[] }>()
  return {
    isDryRun,
    isWanted: (reason: string): boolean => reasons === undefined || reasons.includes(reason),
    /** A named reason retries even a permanent failure. */
    isNamed: (reason: string): boolean => reasons?.includes(reason) ?? false,
    refuse: (name: string, refusal: Refusal): void => {
      const key = JSON.stringify([refusal.kind, refusal.reason, refusal.remedy])
      const { count, names } = refusals.get(key) ?? { count: 0, names: [] as string[] }
      if (count < limits.refusedNames) names.push(name)
      refusals.set(key, { ...refusal, count: count + 1, names })
    },
    refused: () => [...refusals.values()],
    uploadIds: [] as string[],
    fileNames: [] as string[],
  }
}

export type Retry = ReturnType<typeof createRetry>
