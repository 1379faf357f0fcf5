import { setTimeout as delay } from 'node:timers/promises'
import { operations } from '@cairn/contracts/api/operations'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { seededRandom } from '@cairn/testing/seeded-random'
import { expect, it } from 'vitest'
import { describeOn } from '../describe-on.ts'
import { idsFound, listed, settled, useStandalone, walk } from '../story.ts'

const uploads = 500
const kills = 3
/** Time limit for a response: a request whose process died holds its key for 30 s. */
const answeredWithinMs = 120_000

describeOn(['standalone'], 'Idempotency-Key over kills', () => {
  const story = useStandalone()

  it('gives every repetition of 500 uploads one response, and doubles nothing', { timeout: 300_000 }, async () => {
    const { api, name } = await story.room()
    const random = seededRandom(7)
    const params = { namespace_name: name }

    /** Sends the upload until the response is 202, however often the connection breaks or the process dies. */
    const send = async (turn: number): Promise<string> => {
      const documents = [1, 2].map((of) => ({ id: `d${turn}-${of}`, text: `The text ${of} of upload ${turn}.` }))
      const sent = { params, body: { documents }, headers: { 'idempotency-key': `upload-${turn}` } }
      for (const until = performance.now() + answeredWithinMs; performance.now() < until; await delay(100)) {
        const answer = await api.any(operations.uploadDocuments, sent).catch((error: unknown) => {
          // While the process is down, connections are refused.
          if (error instanceof TypeError) return undefined
          throw error
        })
        if (answer?.status === 202) return JSON.stringify(answer.body)
        if (answer) expect([409, 503]).toContain(answer.status)
      }
      throw new Error(`upload ${turn} was not answered within ${answeredWithinMs} ms`)
    }

    let done = 0
    const sending = atOnce(
      16,
      Array.from({ length: uploads }, (_, turn) => turn),
      async (turn) => {
        const answers = await Promise.all([send(turn), send(turn)])
        done += 1
        return new Set([...answers, await send(turn)])
      },
    )
    const killing = (async () => {
      for (let kill = 1; kill <= kills; kill += 1) {
        while (done < (uploads * kill) / (kills + 1)) await delay(10)
        await delay(random.below(50))
        await story.target.kill()
        await story.target.restart()
      }
    })()
    const [answers] = await Promise.all([sending, killing])

    expect(answers.filter(({ size }) => size !== 1)).toEqual([])
    for (const [answer = ''] of answers)
      expect((await settled(api, name, JSON.parse(answer).upload_id)).counts.failed).toBe(0)
    expect(await listed(api)).toMatchObject([{ item_count: 2 * uploads }])
    const ids = (await walk(api, name)).flatMap(({ items }) => items.map(({ id }) => id))
    expect(new Set(ids).size).toBe(2 * uploads)
    expect(ids).toHaveLength(2 * uploads)
    expect(await idsFound(api, [name], 'The text 2 of upload 499.', { top_k: 1 })).toEqual(['d499-2'])
  })
})
