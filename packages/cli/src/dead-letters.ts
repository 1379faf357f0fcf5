import { adminOperations } from '@cairn/contracts/http/admin'
import type { Answer } from './client.ts'
import type { Command } from './command.ts'
import { record, table } from './table.ts'

type DeadLetter = Answer<typeof adminOperations.replayDeadLetter>['body']

const list: Command = {
  name: 'dead-letters list',
  summary: 'List messages that could not be read or that no handler takes, oldest first',
  options: {
    limit: { type: 'string', value: 'number', description: 'How many at most, 1 to 100. Default: 100.' },
    after: { type: 'string', value: 'id', description: 'Go on after this one.' },
  },
  run: async ({ admin, print }, input) => {
    const { body } = await admin().call(adminOperations.listDeadLetters, {
      query: { limit: input.text('limit'), after: input.text('after') },
    })
    print(
      table<DeadLetter>(
        [
          { title: 'DEAD LETTER ID', value: (letter) => letter.dead_letter_id },
          { title: 'TOPIC', value: (letter) => letter.topic },
          { title: 'GROUP', value: (letter) => letter.group },
          { title: 'CREATED', value: (letter) => letter.created_at },
          { title: 'REPLAYED', value: (letter) => letter.replayed_at ?? 'never' },
          { title: 'REASON', value: (letter) => letter.reason },
        ],
        body.dead_letters,
      ),
    )
    if (body.next !== null) print(`More: cairn dead-letters list --after ${body.next}\n`)
    return { data: body }
  },
}

const replay: Command = {
  name: 'dead-letters replay',
  summary: 'Put the message of a dead letter on its topic again',
  arguments: [{ name: 'dead-letter', description: 'The dead letter id.' }],
  run: async ({ admin, print }, input) => {
    const { body } = await admin().call(adminOperations.replayDeadLetter, {
      params: { dead_letter_id: input.argument('dead-letter') },
    })
    print(record({ 'dead letter id': body.dead_letter_id, topic: body.topic, replayed: body.replayed_at }))
    return { data: body }
  },
}

export const deadLetterCommands: readonly Command[] = [list, replay]
