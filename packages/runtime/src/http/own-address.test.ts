import { expect, it } from 'vitest'
import { ownAddress, reachOf } from './own-address.ts'

it.each([
  ['localhost', 'http://localhost:3000'],
  ['0.0.0.0', 'http://localhost:3000'],
  ['::', 'http://localhost:3000'],
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['192.168.1.5', 'http://192.168.1.5:3000'],
  ['cairn.example', 'http://cairn.example:3000'],
])('names the address at which a server on %s answers its own machine', (host, address) => {
  expect(ownAddress({ host, port: 3_000 })).toBe(address)
})

it.each(['localhost', '127.0.0.1', '::1'])('says that a server on %s is reachable from this machine only', (host) => {
  expect(reachOf({ host, port: 3_000 })).toMatch(/^this machine only; CAIRN_HOST=0\.0\.0\.0 opens it to the network/)
})

it('says to whom a server on another host is open, and that it has no TLS', () => {
  for (const host of ['0.0.0.0', '::'])
    expect(reachOf({ host, port: 3_000 })).toBe(
      `every network of this machine, on port 3000, without TLS (CAIRN_HOST=${host})`,
    )
  expect(reachOf({ host: '192.168.1.5', port: 3_000 })).toBe(
    'the network of that address, without TLS (CAIRN_HOST=192.168.1.5)',
  )
})
