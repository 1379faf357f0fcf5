import { readConfig } from '@cairn/runtime/config/config'
import { expect, it } from 'vitest'
import { edgeConfig, edgeRule } from './config.ts'

const read = (env: Readonly<Record<string, string>>) => readConfig(edgeConfig, env, [edgeRule])
const key = 'a-key-of-some-length'

it('listens to this machine alone', () => {
  expect(read({})).toMatchObject({ host: 'localhost', port: 8_080, maxItems: 10_000, corsOrigins: [] })
  expect(read({}).key).toBeUndefined()
})

it.each(['0.0.0.0', '::', '192.168.1.5', 'shop.example', '127.0.0.1.example'])(
  'does not listen on %s without a key',
  (host) => {
    expect(() => read({ CAIRN_HOST: host })).toThrow(
      /CAIRN_EDGE_KEY: is required where CAIRN_HOST is more than this machine/,
    )
    expect(read({ CAIRN_HOST: host, CAIRN_EDGE_KEY: key })).toMatchObject({ host, key })
  },
)

it.each(['localhost', '127.0.0.2', '::1'])('listens on %s without one', (host) => {
  expect(read({ CAIRN_HOST: host })).toMatchObject({ host })
})

it('takes no key that is soon guessed', () => {
  expect(() => read({ CAIRN_EDGE_KEY: 'short' })).toThrow(/CAIRN_EDGE_KEY: must be at least 16 characters/)
})
