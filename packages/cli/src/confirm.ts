import { AppError } from '@cairn/contracts/errors'
import { serverOf } from './announce.ts'
import type { Context, Input, Option } from './command.ts'
import { printable } from './table.ts'

export const yesOption: Option = {
  type: 'boolean',
  description: 'Do not ask for confirmation; required without a terminal.',
}

type Destruction = {
  /** Completes "This will …", such as `delete the namespace "notes"`. */
  readonly what: string
  /** Default: the server. */
  readonly where?: string
  /** Known only from the server; called only if somebody is asked. */
  readonly details?: () => Promise<string>
  /** To be typed; without it, the answer is yes or no. */
  readonly name?: string
}

/**
 * Asks before something is destroyed, unless `--yes`. Throws without consent or a terminal, before anything is sent.
 */
export const confirm = async (context: Context, input: Input, destruction: Destruction): Promise<void> => {
  const { ask, signal, note } = context
  const { what, where = serverOf(context), details, name } = destruction
  const sentence = (more = '') => printable(`This will ${what}${more} on ${where}.`)
  if (input.flag('yes')) return note(`${sentence()}\n`)
  if (!ask) throw new AppError('invalid', `Confirming needs a terminal: use --yes to ${what}`)
  const question = name === undefined ? '[y/N]' : `Type ${printable(name)} to confirm:`
  const answer = (await ask(`${sentence(await details?.())} ${question} `)).trim()
  signal.throwIfAborted()
  if (name === undefined ? !/^y(es)?$/i.test(answer) : answer !== name)
    throw new Error('Not confirmed: nothing was changed')
}
