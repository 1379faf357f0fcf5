import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { cairn } from './run.fixture.ts'
import { serve } from './serve.fixture.ts'

it('leaves no part of a file whose download breaks off, and says that it may be repeated', async () => {
  const folder = temporaryDirectory()
  const headers = { 'content-length': '1000', connection: 'close' }
  const { url } = await serve({ status: 200, headers, body: 'a part' })
  const args = ['get', '--file', 'a.txt', '--from', 'n', '-o', join(folder, 'a.txt')]
  expect(await cairn({ CAIRN_URL: url, CAIRN_API_KEY: 'k' }, ...args)).toMatchObject({
    code: 5,
    err: expect.stringMatching(/cairn: The download broke off; repeat the command\n$/),
  })
  expect(readdirSync(folder)).toEqual([])
})
