import { AppError } from '@cairn/contracts/errors'
import { createHoldings } from '@cairn/domain/holdings'

/** One holder's share of a budget. Released once; bytes taken after that are not counted. */
export type Share = {
  /** Takes more bytes. AppError `limited` when the owner's limit is reached, `unavailable` when the process's is. */
  take(bytes: number): void
  release(): void
}

export type ByteBudget = {
  share(owner: string): Share
  /** Bytes held now by all owners. */
  heldBytes(): number
}

export type ByteBudgetOptions = {
  /** Bytes of all owners together. */
  readonly totalBytes: number
  /** Bytes of one owner. */
  readonly ownerBytes: number
}

const retryAfterSeconds = 1

/** Counts the bytes that requests hold in memory, per process and per owner, and rejects what exceeds a limit. */
export const createByteBudget = ({ totalBytes, ownerBytes }: ByteBudgetOptions): ByteBudget => {
  const held = createHoldings()
  return {
    heldBytes: held.total,
    share: (owner) => {
      const mine: (() => void)[] = []
      let isReleased = false
      return {
        take: (bytes) => {
          if (isReleased) return
          if (held.of(owner) + bytes > ownerBytes)
            throw new AppError(
              'limited',
              'Too many large requests of this account are under way; retry when some of them have their answers.',
              {
                retryAfterSeconds,
              },
            )
          if (held.total() + bytes > totalBytes)
            throw new AppError('unavailable', 'Too many large requests are under way; retry in a moment.', {
              retryAfterSeconds,
            })
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
