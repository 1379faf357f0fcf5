import type { OpenRow, Side } from './row.ts'

export type OpenSide = Side & { close(): Promise<void> }

/**
 * Opens sides with a process each, one after the other. The sides are closed together, also if one of them can't be
 * opened.
 */
export const openSides = async <T>(
  inputs: readonly T[],
  open: (one: T) => Promise<OpenSide>,
): Promise<Required<OpenRow>> => {
  const sides: OpenSide[] = []
  const close = async () => {
    for (const side of sides) await side.close()
  }
  try {
    for (const one of inputs) sides.push(await open(one))
  } catch (error) {
    await close()
    throw error
  }
  return { sides, close }
}
