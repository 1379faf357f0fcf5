import { describe, expect, it, onTestFinished } from 'vitest'
import { ThreadLink } from './link.ts'

/**
 * Program of a thread that answers a request with its worker data, the request, and all notices and cancellations so
 * far. `wait` gets no answer, `fail` gets a failure; `end` and `throw` end the thread.
 */
const body = `
  import { parentPort, workerData } from 'node:worker_threads'
  const told = []
  parentPort.on('message', (messages) => messages.forEach((message) => {
    if (message === 'close') return parentPort.close()
    if ('notice' in message) return told.push(message.notice)
    if ('cancel' in message) return told.push('cancelled ' + message.cancel)
    const { id, request } = message
    if (request === 'wait') return
    if (request === 'end') process.exit(3)
    if (request === 'throw') throw new Error('worker is broken')
    const failure = { code: 'invalid', message: 'as you say' }
    if (request === 'fail') parentPort.postMessage({ answers: [{ id, failure }] })
    else parentPort.postMessage({ answers: [{ id, value: [workerData, request, ...told] }], news: 'heard ' + request })
  }))
`

const openLink = (options: { onNews?: (news: string) => void; onCrash?: () => void } = {}) => {
  const url = new URL(`data:text/javascript,${encodeURIComponent(body)}`)
  const link = new ThreadLink<string, string, string>({ url, workerData: 'data', owner: 'test', ...options })
  onTestFinished(() => link.close())
  return link
}

describe('thread link', () => {
  it('answers concurrent calls, each with its own value', async () => {
    const link = openLink()
    expect(await Promise.all(['a', 'b', 'c'].map((request) => link.call(request)))).toEqual(
      ['a', 'b', 'c'].map((request) => ['data', request]),
    )
  })

  it('rejects with the error of the thread', async () => {
    await expect(openLink().call('fail')).rejects.toMatchObject({
      name: 'AppError',
      code: 'invalid',
      message: 'as you say',
    })
  })

  it('delivers notices before later calls, and drops them while no thread runs', async () => {
    const link = openLink()
    link.notify('too early')
    link.start()
    link.notify('one')
    expect(await link.call('a')).toEqual(['data', 'a', 'one'])
  })

  it('rejects with the reason of an aborted signal at once, and notifies the thread', async () => {
    const link = openLink()
    const left = new AbortController()
    const waiting = link.call('wait', { signal: left.signal })
    await link.call('a')
    left.abort(new Error('nobody waits'))
    await expect(waiting).rejects.toThrow('nobody waits')
    expect(await link.call('b')).toEqual(['data', 'b', 'cancelled 1'])
    await expect(link.call('c', { signal: left.signal })).rejects.toThrow('nobody waits')
  })

  it('delivers news before the answer that came with it', async () => {
    const order: string[] = []
    const link = openLink({ onNews: (news) => order.push(news) })
    await link.call('a').then(() => order.push('answered'))
    expect(order).toEqual(['heard a', 'answered'])
  })

  it.each(['end', 'throw'])(
    'fails calls in progress when the thread ends by itself (%s), and starts another',
    async (request) => {
      let crashes = 0
      const link = openLink({ onCrash: () => crashes++ })
      const others = link.call(request)
      await expect(others).rejects.toMatchObject({ name: 'AppError', code: 'unavailable' })
      expect(await link.call('again')).toEqual(['data', 'again'])
      expect(crashes).toBe(1)
    },
  )

  it('answers calls made before it closes, rejects later ones, and closes once', async () => {
    const link = openLink()
    const before = link.call('before')
    const closed = Promise.all([link.close(), link.close()])
    await expect(before).resolves.toEqual(['data', 'before'])
    await closed
    await expect(link.call('after')).rejects.toMatchObject({ code: 'unavailable' })
    await openLink().close()
  })
})
