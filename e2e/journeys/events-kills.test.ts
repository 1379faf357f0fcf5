import { setTimeout as delay } from 'node:timers/promises'
import { operations } from '@cairn/contracts/api/operations'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { seededRandom } from '@cairn/testing/seeded-random'
import { expect, it } from 'vitest'
import { describeOn } from '../describe-on.ts'
import { type FollowedEvent, followEvents } from '../follow-events.ts'
import { settled, useStandalone } from '../story.ts'

const documents = 5_000
const ofAnUpload = 50
const resumes = 20
const kills = 3
const withinMs = 240_000

describeOn(['standalone'], 'events over kills', () => {
  const story = useStandalone()

  it('end at once when the process stops, which is then a normal end', async () => {
    const { api } = await story.member()
    const streams = Array.from({ length: 3 }, () => followEvents(api, { signal: AbortSignal.timeout(withinMs) }))
    for (const stream of streams) expect((await stream.next()).value).toMatchObject({ type: 'ready' })
    const from = performance.now()
    expect(await story.target.end()).toBe(0)
    expect(performance.now() - from).toBeLessThan(5_000)
    for (const stream of streams) expect((await stream.next()).done).toBe(true)
    await story.target.restart()
  })

  it('come once and in order to a client that is cut off 20 times', { timeout: 2 * withinMs }, async () => {
    const { api, name, params } = await story.room()
    const random = seededRandom(11)
    const until = performance.now() + withinMs
    const uploads: string[] = []

    /** Sends an upload again until it is accepted, which the idempotency key makes safe. */
    const send = async (turn: number): Promise<void> => {
      const body = {
        documents: Array.from({ length: ofAnUpload }, (_, of) => ({
          id: `d${turn * ofAnUpload + of}`,
          text: `Text ${of} of upload ${turn}.`,
        })),
      }
      for (; performance.now() < until; await delay(100)) {
        const sent = { params, body, headers: { 'idempotency-key': `upload-${turn}` } }
        const answer = await api.any(operations.uploadDocuments, sent).catch((error: unknown) => {
          if (error instanceof TypeError) return undefined
          throw error
        })
        if (answer?.status !== 202) continue
        uploads.push(String(answer.body['upload_id']))
        return
      }
      throw new Error(`upload ${turn} was not accepted in time`)
    }

    const events: FollowedEvent[] = []
    const searchable = new Set<unknown>()
    const open = new Set<string>()
    // If the process died after accepting a request, the retry is a separate upload of the same documents.
    const partOf = ({ upload_id: uploadId, id }: FollowedEvent) => `${uploadId} ${id}`
    const note = (event: FollowedEvent) => {
      events.push(event)
      if (event.type === 'document.accepted') open.add(partOf(event))
      else open.delete(partOf(event))
      if (event.type === 'document.searchable') searchable.add(event['id'])
    }
    const isAllTold = () => searchable.size === documents && open.size === 0
    let cuts = 0
    const following = (async () => {
      for (let position = '0'; !isAllTold() && performance.now() < until; ) {
        const connection = new AbortController()
        const cutAfter = cuts < resumes ? 1 + random.below((2 * documents) / resumes) : Number.POSITIVE_INFINITY
        let here = 0
        try {
          for await (const event of followEvents(api, { after: position, signal: connection.signal })) {
            note(event)
            position = event.position
            here += 1
            if (here < cutAfter && !isAllTold()) continue
            cuts += 1
            break
          }
        } catch (error) {
          // The connection broke because the process was killed, or the process is not up again yet.
          if (!(error instanceof TypeError) && !/are 503/.test(String(error))) throw error
          await delay(50)
        } finally {
          connection.abort()
        }
      }
    })()
    const sending = atOnce(
      4,
      Array.from({ length: documents / ofAnUpload }, (_, turn) => turn),
      send,
    )
    const killing = (async () => {
      for (let kill = 1; kill <= kills && performance.now() < until; kill += 1) {
        while (events.length < (2 * documents * kill) / (kills + 1) && performance.now() < until) await delay(10)
        await story.target.kill()
        await story.target.restart()
      }
    })()
    await Promise.all([sending, killing, following])

    expect(cuts).toBeGreaterThanOrEqual(resumes)
    for (const upload of uploads)
      expect((await settled(api, name, upload)).counts).toMatchObject({ completed: ofAnUpload })
    expect(new Set(events.map(({ position }) => position)).size).toBe(events.length)
    const wrong = [...Map.groupBy(events, partOf)].filter(
      ([, some]) => !/^document\.accepted,document\.(searchable|superseded)$/.test(some.map(({ type }) => type).join()),
    )
    expect(wrong).toEqual([])
    expect(searchable.size).toBe(documents)
  })
})
