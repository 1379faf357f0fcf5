import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AppError } from '@cairn/contracts/errors'
import { operations } from '@cairn/contracts/operations'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { letRun } from '@cairn/testing/pass-time'
import { describe, expect, it, vi } from 'vitest'
import type { Caller } from '../call.ts'
import { type FormFile, formBody, type ReceiveFile } from './form-body.ts'

const whole = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome text\r\n--x--\r\n'

const setUp = async (headers: Readonly<Record<string, string>> = { 'content-type': 'multipart/form-data; boundary=x' }) => {
  const raw = Object.assign(new PassThrough(), { headers: { 'transfer-encoding': 'chunked', ...headers }, complete: false })
  const request = { ...guardedRequest<Caller>(operations.uploadFile), raw: raw as unknown as IncomingMessage }
  await formBody()(request)
  const end = (bytes: string) => {
    raw.end(bytes)
    raw.complete = true
  }
  return { raw, end, receive: request.body as ReceiveFile, sent: request.sent }
}

const refuse = () => Promise.reject(new AppError('conflict', 'it is in the way'))
const read = async ({ name, bytes }: FormFile) => `${name}: ${await text(bytes)}`

describe('the form of an upload', () => {
  it('gives its file as it comes', async () => {
    const { end, receive } = await setUp()
    end(whole)
    expect(await receive(read)).toBe('a.txt: some text')
  })

  it.each(['boundary=', 'foo', 'boundary=x;', 'boundary=a b', 'boundary="x', ''])(
    'is refused once and for all with the parameters %j',
    async (given) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        const { raw, receive } = await setUp({ 'content-type': `multipart/form-data; ${given}` })
        raw.write('--x')
        await expect(receive(read)).rejects.toMatchObject({ code: 'invalid' })
        // What it waits for never comes: nobody is left who could be told so, and the process must not hear of it.
        await vi.advanceTimersByTimeAsync(60_000)
        expect(vi.getTimerCount()).toBe(0)
      } finally {
        vi.useRealTimers()
      }
    },
  )

  it.each(['before it comes', 'when all of it has come'])('is refused by who stores its file, %s', async (when) => {
    const { raw, end, receive, sent } = await setUp()
    if (when === 'when all of it has come') end(whole)
    await letRun()
    const receiving = receive(refuse)
    if (!raw.complete) end(whole)
    await expect(receiving).rejects.toMatchObject({ code: 'conflict', message: 'it is in the way' })
    expect(sent['connection']).toBe('close')
  })

  it('fails for what the store fails with, whatever that is', async () => {
    const { end, receive } = await setUp()
    end(whole)
    await expect(receive(() => Promise.reject(new TypeError('a mistake of ours')))).rejects.toBeInstanceOf(TypeError)
    const late = await setUp()
    late.end(whole)
    const afterwards = late.receive(async (file) => {
      await read(file)
      throw new AppError('unavailable', 'the store went away')
    })
    await expect(afterwards).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('ends its file only when it has come to its own end', async () => {
    const { raw, end, receive } = await setUp()
    let ended = false
    const received = receive(async (file) => {
      const content = await read(file)
      ended = true
      return content
    })
    const [file, rest] = [whole.slice(0, -5), whole.slice(-5)]
    raw.write(file)
    await letRun()
    expect(ended).toBe(false)
    end(rest)
    expect(await received).toBe('a.txt: some text')
  })

  it('breaks off its file when its sender goes away', async () => {
    const { raw, receive } = await setUp()
    let signal: AbortSignal | undefined
    const received = receive((file) => {
      signal = file.signal
      return read(file)
    })
    raw.write(whole.slice(0, -12))
    await letRun()
    raw.destroy()
    await expect(received).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('connection was closed') })
    expect(signal?.aborted).toBe(true)
  })

  it('leaves what follows a refusal unread', async () => {
    const { raw, receive } = await setUp()
    const receiving = receive(refuse)
    raw.write(whole.slice(0, -12))
    await expect(receiving).rejects.toMatchObject({ code: 'conflict' })
    await letRun()
    expect(raw.isPaused() || raw.readableFlowing !== true).toBe(true)
    raw.destroy()
    await once(raw, 'close')
  })
})
