import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { listedFiles, sendFiles, type Upload, uploadCommands } from './uploads.ts'

/** Sends files with these names; each upload is pending until the test ends it. */
const startSending = (...names: readonly string[]) => {
  let uploads: readonly Upload[] = []
  const started: string[] = []
  const open = new Map<string, { progress(sent: number): void; end(error?: Error): void }>()
  const sent = sendFiles(
    names.map((name) => ({ name })),
    {
      setUploads: (change) => {
        uploads = change(uploads)
      },
      send: ({ name }, progress) =>
        new Promise((resolve, reject) => {
          started.push(name)
          open.set(name, { progress, end: (error) => (error ? reject(error) : resolve()) })
        }),
    },
  )
  return { sent, started, of: (name: string) => open.get(name)!, list: () => uploads }
}
const settle = () => new Promise((resolve) => setTimeout(resolve))

it('lists every file at once and sends three at a time', async () => {
  const { sent, started, of, list } = startSending('a', 'b', 'c', 'd')
  expect(list().map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  expect(started).toEqual(['a', 'b', 'c'])
  of('b').progress(0.5)
  expect(list().map((upload) => upload.sent)).toEqual([0, 0.5, 0, 0])
  of('b').end()
  await settle()
  expect(list().map(({ name }) => name)).toEqual(['a', 'c', 'd'])
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  for (const name of ['a', 'c', 'd']) of(name).end()
  await sent
  expect(list()).toEqual([])
})

it('keeps a file that could not be sent, with the reason, and sends the others', async () => {
  const { sent, started, of, list } = startSending('a', 'b', 'c', 'd')
  const error = new Error('lost')
  of('a').end(error)
  await settle()
  expect(started).toContain('d')
  for (const name of ['b', 'c', 'd']) of(name).end()
  await sent
  expect(list()).toMatchObject([{ name: 'a', error }])
})

it('tells two uploads of the same name apart', async () => {
  const { sent, of, list } = startSending('a', 'a')
  of('a').progress(0.9)
  expect(list().map((upload) => upload.sent)).toEqual([0, 0.9])
  of('a').end()
  await settle()
  expect(list()).toHaveLength(1)
  void sent
})

const stored = (file_name: string, day: number) => ({
  ...{ file_name, size: 1, last_modified: `2026-01-0${day}T00:00:00Z` },
  ...{ state: 'completed' as const, etag: 'e', chunks: 1, notes: 0 },
})
const files = [stored('Old.pdf', 1), stored('new.pdf', 3), stored('sent.txt', 2)]
const upload: Upload = { id: 1, name: 'sent.txt', sent: 0.5 }

it('lists the newest file first, and one that is sent again as an upload only', () => {
  const names = (uploads: readonly Upload[], search: string) =>
    listedFiles(files, uploads, search, '').map(({ file_name: name }) => name)
  expect(names([], '')).toEqual(['new.pdf', 'sent.txt', 'Old.pdf'])
  expect(names([upload], '')).toEqual(['new.pdf', 'Old.pdf'])
  expect(names([{ ...upload, error: new Error('lost') }], '')).toContain('sent.txt')
  expect(names([], ' OLD ')).toEqual(['Old.pdf'])
  expect(names([], 'none')).toEqual([])
})

it('filters files by their state', () => {
  const states = ['awaiting_upload', 'queued', 'processing', 'completed', 'failed'] as const
  const list = states.map((state, at) => ({ ...stored(state, 9 - at), state }))
  const listed = (state: string, search = '') => listedFiles(list, [], search, state).map(({ file_name: name }) => name)
  expect(listed('failed')).toEqual(['failed'])
  expect(listed('')).toEqual(states)
  expect(listed('failed', 'queue')).toEqual([])
})

it('writes commands in which a shell reads any name as it is', () => {
  const name = `it's "$HOME" \`id\`.pdf`
  const [, body = '', put = ''] = uploadCommands('http://localhost:3000', 'notes', name).split('\n')
  const print = (words: string) => spawnSync('sh', ['-c', `printf %s ${words}`], { encoding: 'utf8' }).stdout
  expect(JSON.parse(print(body.replace(/^ +-d/, '').replace(/\)$/, '')))).toEqual({ file_name: name })
  expect(print(put.replace(/^curl -T/, '').replace(/ -H .*$/, ''))).toBe(name)
})
