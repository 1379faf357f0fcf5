import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { letRun } from '@cairn/testing/pass-time'
import { describe, expect, it, vi } from 'vitest'
import type { Caller } from '../call.ts'
import { type FormFile, formHeaders, receiveForm } from './form-body.ts'

const whole = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome text\r\n--x--\r\n'

const setUp = async (
  headers: Readonly<Record<string, string>> = { 'content-type': 'multipart/form-data; boundary=x' },
) => {
  const raw = Object.assign(new PassThrough(), {
    headers: { 'transfer-encoding': 'chunked', ...headers },
    complete: false,
  })
  const request = { ...guardedRequest<Caller>(operations.uploadFile), raw: raw as unknown as IncomingMessage }
  await formHeaders(request)
  const end = (bytes: string) => {
    raw.end(bytes)
    raw.complete = true
  }
  return {
    raw,
    end,
    receive: <T>(store: (file: FormFile) => Promise<T>) => receiveForm(request, store),
    sent: request.sent,
  }
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
        // The rejected request leaves no timer behind, such as the one that checks the rate of a body.
        await vi.advanceTimersByTimeAsync(60_000)
        expect(vi.getTimerCount()).toBe(0)
      } finally {
        vi.useRealTimers()
      }
    },
  )

  it('is not waited for when its sender has left before it was wanted', async () => {
    const { raw, receive } = await setUp()
    raw.destroy()
    await once(raw, 'close')
    await expect(receive(read)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('closed') })
  })

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

  it('is stored within the trace of its request, also when it comes after its headers', async () => {
    const trace = new AsyncLocalStorage<string>()
    const { end, receive } = await setUp()
    const received = trace.run('request', () => receive(async (file) => `${trace.getStore()}, ${await read(file)}`))
    end(whole)
    expect(await received).toBe('request, a.txt: some text')
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
    await expect(received).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('connection was closed'),
    })
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

  it('fails as a store does whose disk is full, not as a form that is broken', async () => {
    for (const pieces of [1, 40]) {
      const { raw, receive } = await setUp()
      const received = receive(async ({ bytes }) => {
        const full = new Writable({
          write: (_chunk, _encoding, done) => done(new Error('ENOSPC: no space left on device')),
        })
        await pipeline(bytes, full).catch(async (cause: unknown) => {
          // Like a store that first removes the bytes it has written.
          await letRun()
          throw new AppError('unavailable', 'the disk is full', { cause })
        })
      })
      received.catch(() => undefined)
      raw.write(whole.slice(0, -12))
      for (let piece = 0; piece < pieces; piece += 1) {
        raw.write('x'.repeat(64 * 1024))
        await letRun()
      }
      raw.end(whole.slice(-12))
      raw.complete = true
      await expect(received).rejects.toMatchObject({ code: 'unavailable' })
    }
  })

  const formOf = (name: string | Buffer, content: string) => [
    '--x\r\ncontent-disposition: form-data; name="file"; filename="',
    name,
    `"\r\n\r\n${content}\r\n--x--\r\n`,
  ]

  it.each<[string, string | Buffer, string]>([
    ['UTF-8', 'café ☕.txt', 'café ☕.txt'],
    ['Latin-1', Buffer.from('café.txt', 'latin1'), 'café.txt'],
    ['UTF-8 that looks like Latin-1 twice over', 'cafÃ©.txt', 'cafÃ©.txt'],
  ])('names its file in %s', async (_, name, wanted) => {
    const { raw, receive } = await setUp()
    for (const part of formOf(name, 'some text')) raw.write(part)
    raw.end()
    raw.complete = true
    expect(await receive(read)).toBe(`${wanted}: some text`)
  })

  it('is not cut at a line of its content that begins with the boundary', async () => {
    const content = 'one\r\n--xy\r\ntwo\r\n--x-\r\n--x three\r\n'
    const { end, receive } = await setUp()
    end(formOf('a.txt', content).join(''))
    expect(await receive(read)).toBe(`a.txt: ${content}`)
  })
})
