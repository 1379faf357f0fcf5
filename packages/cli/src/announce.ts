import type { Context } from './command.ts'
import { printable } from './table.ts'

/** Says, on standard error, what the command is about to write where. */
export const announce = ({ note }: Pick<Context, 'note'>, from: string, to: string): void =>
  note(`${printable(`${from} → ${to}`)}\n`)

export const serverOf = ({ settings: { url, urlOrigin } }: Pick<Context, 'settings'>): string => `${url} (${urlOrigin})`

export const namespaceOn = (context: Pick<Context, 'settings'>, namespace: string): string =>
  `namespace "${namespace}" on ${serverOf(context)}`
