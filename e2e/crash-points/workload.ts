import type { SentDocument } from '@cairn/testing/ledger'
import type { Recorded, RecordedClient } from '@cairn/testing/recorded-client'

/**
 * Repeats a request whose outcome is unknown until it is answered. A repeated request that gets one of the `done`
 * statuses had already been carried out.
 */
export type Insist = (request: () => Promise<Recorded>, done?: readonly number[]) => Promise<Recorded>

let texts = 0
const document = (id: string, sentences = 1): SentDocument => {
  texts += 1
  const text = Array.from(
    { length: sentences },
    (_, index) => `Document ${id} says for the ${texts}th time, part ${index}, what it has to say.`,
  )
  return { id, text: text.join(' '), metadata: { turn: texts } }
}
const vector = (id: string, ...numbers: readonly number[]): SentDocument => ({ ...document(id), vector: numbers })

/** Performs a few of each kind of write; small enough to be repeated for every crash point. */
export const workload = async (client: RecordedClient, insist: Insist): Promise<void> => {
  await insist(() => client.createNamespace('texts'), [409])
  await insist(() => client.upload('texts', [document('a'), document('b', 60), document('c')]))
  await Promise.all([
    insist(() => client.upload('texts', [document('a'), document('d')])),
    insist(() => client.upload('texts', [document('b'), document('a')])),
  ])
  await insist(() => client.createNamespace('vectors', 3), [409])
  await insist(() => client.upload('vectors', [vector('v', 1, 0, 0), vector('w', 0, 1, 0)]))
  await Promise.all([
    insist(() => client.remove('texts', ['c', 'd', 'nobody'])),
    insist(() => client.upload('vectors', [vector('v', 0, 0, 1)])),
  ])
  await insist(() => client.upload('texts', [document('c'), document('e')]))
  await insist(() => client.createNamespace('short-lived'), [409])
  await insist(() => client.upload('short-lived', [document('x'), document('y')]))
  await insist(() => client.deleteNamespace('short-lived'), [404])
  await insist(() => client.remove('vectors', ['w']))
}

/** Reads the final state as clients do. */
export const lookAround = async (client: RecordedClient, insist: Insist): Promise<void> => {
  await insist(() => client.walk('texts', 2))
  await insist(() => client.get('texts', ['a', 'b', 'c', 'd', 'e']))
  await insist(() => client.search(['texts'], 'what has document b to say'))
  await insist(() => client.search(['vectors'], [0, 0, 1]))
}
