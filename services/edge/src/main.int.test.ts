import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { textItem, vectorOf, vectorUpload } from './edge.fixture.ts'

const start = (directory: string, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PORT: '0', CAIRN_DATA_DIR: directory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'close')
  const ready = async (): Promise<string> => {
    let output = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      output += chunk
      const port = /"port":(\d+),"msg":"ready"/.exec(output)?.[1]
      if (port) return `http://127.0.0.1:${port}`
    }
    throw new Error(`the store has not started: ${said}`)
  }
  return { child, ready, ended, said: () => said }
}

const batch = 40
const upload = (url: string, number: number) =>
  fetch(`${url}/upload`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      vectorUpload(...Array.from({ length: batch }, (_, i) => textItem(`${number}-${i}`, vectorOf(1, i, number)))),
    ),
  })

describe('the process of an edge store', () => {
  it('has every upload it answered, whole, and none in part, when it is killed between and amid them', async () => {
    const directory = temporaryDirectory()
    let number = 0
    let answered = 0
    for (let run = 1; run <= 3; run += 1) {
      const { child, ready, ended } = start(directory)
      const url = await ready()
      const health = (await (await fetch(`${url}/health`)).json()) as { items: number }
      expect(health.items % batch).toBe(0)
      expect(health.items / batch).toBeGreaterThanOrEqual(answered)
      expect(health.items / batch).toBeLessThanOrEqual(number)
      const exported = (await (await fetch(`${url}/export`)).json()) as { item_count: number; items: object[] }
      expect([exported.item_count, exported.items.length]).toEqual([health.items, health.items])
      // Uploads one batch after the other until the connection breaks, so that the kill happens during some upload.
      const client = (async () => {
        for (; number < 200; ) {
          number += 1
          const { ok } = await upload(url, number)
          if (ok) answered += 1
          if (answered === run * 12) setTimeout(() => child.kill('SIGKILL'), run)
        }
      })()
      await client.catch(() => undefined)
      expect(await ended).toEqual([null, 'SIGKILL'])
    }
    expect(answered).toBeGreaterThanOrEqual(36)
  })

  it('says in a sentence why it does not start', async () => {
    const directory = temporaryDirectory()
    const open = start(directory, { CAIRN_HOST: '0.0.0.0' })
    expect(await open.ended).toEqual([1, null])
    expect(open.said()).toContain('CAIRN_EDGE_KEY: is required')
    expect(open.said()).not.toContain('    at ')
  })

  it('ends in order, and leaves a file that stands for itself', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'shop.db')
    const first = start(directory, { CAIRN_EDGE_DATA: file })
    expect((await upload(await first.ready(), 1)).status).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.ended).toEqual([0, null])
    const second = start(directory, { CAIRN_EDGE_DATA: file })
    expect(await (await fetch(`${await second.ready()}/health`)).json()).toMatchObject({ items: batch })
  })
})
