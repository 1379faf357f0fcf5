import type { Context } from './command.ts'
import { printable } from './table.ts'

/** Writes to standard error from where to where a command is about to write. */
export const announce = ({ note }: Pick<Context, 'note'>, from: string, to: string): void =>
  note(`${printable(`${from} → ${to}`)}\n`)

/** Names the server, and where its address comes from. */
export const serverOf = ({ settings: { url, urlOrigin } }: Pick<Context, 'settings'>): string => `${url} (${urlOrigin})`

export const namespaceOn = (context: Pick<Context, 'settings'>, namespace: string): string =>
  `namespace "${namespace}" on ${serverOf(context)}`
