import { AppError } from '@cairn/contracts/errors'
import { createHoldings } from '@cairn/domain/jobs/holdings'

/** Bytes taken after the release are not counted. */
export type Share = {
  /** Throws AppError `limited` above the owner's limit, `unavailable` above that of the process. */
  take(bytes: number): void
  release(): void
}

const retryAfterSeconds = 1

/** Bytes that requests hold in memory. `totalBytes`: all owners together. */
export const createByteBudget = ({
  totalBytes,
  ownerBytes,
}: {
  readonly totalBytes: number
  readonly ownerBytes: number
}) => {
  const held = createHoldings()
  return {
    heldBytes: held.total,
    share: (owner: string): Share => {
      const mine: (() => void)[] = []
      let isReleased = false
      return {
        take: (bytes) => {
          if (isReleased) return
          const message = 'Too many large requests are under way; retry in a moment.'
          const ofAccount =
            'Too many large requests of this account are under way; retry when some of them have their answers.'
          if (held.of(owner) + bytes > ownerBytes) throw new AppError('limited', ofAccount, { retryAfterSeconds })
          if (held.total() + bytes > totalBytes) throw new AppError('unavailable', message, { retryAfterSeconds })
          mine.push(held.hold(owner, bytes))
        },
        release: () => {
          isReleased = true
          for (const giveBack of mine) giveBack()
        },
      }
    },
  }
}

export type ByteBudget = ReturnType<typeof createByteBudget>
