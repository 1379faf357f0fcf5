import type { DeadLetter } from '@cairn/client'
import type { Command } from './command.ts'
import { numberOf } from './number-of.ts'
import { record, table } from './table.ts'

const list: Command = {
  name: 'dead-letters list',
  summary: 'List dead-lettered messages, oldest first',
  options: {
    limit: { type: 'string', value: 'number', description: 'Maximum number of entries, 1 to 100. Default: 100.' },
    after: { type: 'string', value: 'id', description: 'Continue after this entry.' },
  },
  run: async ({ admin, print, width, signal }, input) => {
    const page = { limit: numberOf(input, 'limit'), after: input.text('after') }
    const data = await admin().deadLetters.list({ ...page, signal })
    print(
      table<DeadLetter>(
        [
          { title: 'DEAD LETTER ID', value: (letter) => letter.dead_letter_id },
          { title: 'TOPIC', value: (letter) => letter.topic },
          { title: 'GROUP', value: (letter) => letter.group },
          { title: 'CREATED', value: (letter) => letter.created_at },
          { title: 'REPLAYED', value: (letter) => letter.replayed_at ?? 'never' },
          { title: 'REASON', value: (letter) => letter.reason, long: true },
        ],
        data.dead_letters,
        width,
      ),
    )
    if (data.next !== null) print(`More: cairn dead-letters list --after ${data.next}\n`)
    return { data }
  },
}

const replay: Command = {
  name: 'dead-letters replay',
  summary: 'Publish the message of a dead letter again',
  arguments: [{ name: 'dead-letter', description: 'The dead letter id.' }],
  run: async ({ admin, print, signal }, input) => {
    const data = await admin().deadLetters.replay(input.argument('dead-letter'), { signal })
    print(record({ 'dead letter id': data.dead_letter_id, topic: data.topic, replayed: data.replayed_at }))
    return { data }
  },
}

export const deadLetterCommands: readonly Command[] = [list, replay]
