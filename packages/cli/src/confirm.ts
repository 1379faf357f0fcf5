import { AppError } from '@cairn/contracts/errors'
import type { Context, Input, Option } from './command.ts'
import { printable } from './table.ts'

export const yesOption: Option = {
  type: 'boolean',
  description: 'Do not ask for confirmation; required without a terminal.',
}

type Destruction = {
  /** Completes "cairn will …", such as `delete the namespace "notes"`. */
  readonly what: string
  /** Returns what is known only from the server; called only if somebody is asked. */
  readonly details?: () => Promise<string>
  /** Name to be typed; without it, the answer is yes or no. */
  readonly name?: string
}

/**
 * Asks before something is destroyed, unless `--yes` is given. Throws if it is not confirmed, and, before anything is
 * sent, if there is no terminal to ask at.
 */
export const confirm = async (
  { ask, signal, settings }: Context,
  input: Input,
  { what, details, name }: Destruction,
): Promise<void> => {
  if (input.flag('yes')) return
  if (!ask) throw new AppError('invalid', `Confirming needs a terminal: use --yes to ${what}`)
  const more = details ? await details() : ''
  const sentence = printable(`This will ${what}${more} (${settings.url}).`)
  const answer = (
    await ask(`${sentence} ${name === undefined ? '[y/N]' : `Type ${printable(name)} to confirm:`} `)
  ).trim()
  signal.throwIfAborted()
  if (name === undefined ? !/^y(es)?$/i.test(answer) : answer !== name)
    throw new Error('Not confirmed: nothing was changed')
}
