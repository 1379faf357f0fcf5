import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpServer, type HttpServerOptions } from './http-server.ts'
import { type Listening, listen } from './listen.ts'

const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
const hasIpv6 = addresses.some(({ address }) => address === '::1')
const networkAddress = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address

const noIpv6 = 'this machine has no ::1'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const serve = async (options: Parameters<typeof listen>[1], serverOptions: HttpServerOptions = {}) => {
  const server = createHttpServer((_, response) => void response.end('served'), serverOptions)
  const listening = await listen(server, options)
  opened.push(listening)
  return { server, ...listening }
}
const answers = async ({ port }: Pick<Listening, 'port'>, host: string): Promise<boolean> => {
  try {
    const response = await fetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(2_000) })
    return (await response.text()) === 'served'
  } catch {
    return false
  }
}

describe('a server on localhost', () => {
  it('answers at 127.0.0.1, at ::1 and by the name, on one port', async ({ skip }) => {
    skip(!hasIpv6, noIpv6)
    const server = await serve({ host: 'localhost', port: 0 })
    expect([await answers(server, '127.0.0.1'), await answers(server, '[::1]')]).toEqual([true, true])
    expect(await answers(server, 'localhost')).toBe(true)
  })

  it('does not answer at the address in the network', async ({ skip }) => {
    skip(networkAddress === undefined, 'this machine has no address in a network')
    const server = await serve({ host: 'localhost', port: 0 })
    expect(await answers(server, String(networkAddress))).toBe(false)
  })

  it('starts on a machine without IPv6', async () => {
    const server = await serve({ host: 'localhost', port: 0, ipv6Loopback: '2001:db8::1' })
    expect(await answers(server, '127.0.0.1')).toBe(true)
  })

  it('refuses a port that another program has at one of the two addresses', async ({ skip }) => {
    skip(!hasIpv6, noIpv6)
    for (const host of ['127.0.0.1', '::1']) {
      const other = createServer()
      await once(other.listen(0, host), 'listening')
      opened.push(other)
      const { port } = other.address() as { port: number }
      await expect(serve({ host: 'localhost', port })).rejects.toThrow(
        `Port ${port} of ${host} is in use. End the program that listens there, or set PORT to another port.`,
      )
    }
  })

  it('counts the connections of both addresses together', async ({ skip }) => {
    skip(!hasIpv6, noIpv6)
    const begun: string[] = []
    const server = createHttpServer((raw) => void begun.push(raw.url ?? ''), { maxConnections: 3 })
    const listening = await listen(server, { host: 'localhost', port: 0 })
    opened.push({ close: () => listening.close() }, { close: () => server.closeAllConnections() })
    const closed: string[] = []
    const dial = (host: string) =>
      connect(listening.port, host)
        .on('error', () => undefined)
        .once('close', () => closed.push(host))
        .write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    for (const [index, host] of ['127.0.0.1', '::1', '127.0.0.1'].entries()) {
      dial(host)
      await expect.poll(() => begun.length).toBe(index + 1)
    }
    for (const host of ['127.0.0.1', '::1', '::1']) dial(host)
    await expect.poll(() => closed.length).toBe(3)
    expect(begun).toHaveLength(3)
  })

  it('does not wait for a client of either address that sends half of its headers', async ({ skip }) => {
    skip(!hasIpv6, noIpv6)
    for (const host of ['127.0.0.1', '::1']) {
      const options = { closingDrainWindowMs: 100, checkEveryMs: 20 }
      const server = createHttpServer((_, response) => void response.end('served'), options)
      const listening = await listen(server, { host: 'localhost', port: 0 })
      const client = connect(listening.port, host).on('error', () => undefined)
      opened.push({ close: () => client.destroy() })
      const arrived = once(server, 'connection')
      client.write('GET / HTTP/1.1\r\nhost: a\r\nx-a: ')
      const [socket] = (await arrived) as [{ readonly bytesRead: number }]
      await expect.poll(() => socket.bytesRead).toBeGreaterThan(0)
      await listening.close()
      await expect.poll(() => client.destroyed || client.readableEnded || client.closed).toBe(true)
    }
  })

  it('gives requests of both addresses their answers when it closes', async ({ skip }) => {
    skip(!hasIpv6, noIpv6)
    const begun: string[] = []
    const end = Promise.withResolvers<void>()
    const server = createHttpServer(async (raw, response) => {
      begun.push(raw.url ?? '')
      await end.promise
      response.end('served')
    })
    const listening = await listen(server, { host: 'localhost', port: 0 })
    const asked = Promise.all(['127.0.0.1', '[::1]'].map((host) => answers(listening, host)))
    await expect.poll(() => begun.length).toBe(2)
    const closed = listening.close()
    expect(await answers(listening, '[::1]')).toBe(false)
    end.resolve()
    expect(await asked).toEqual([true, true])
    await closed
  })
})

describe('a server on a host that is set', () => {
  it('answers at every address of IPv4 on 0.0.0.0', async () => {
    const server = await serve({ host: '0.0.0.0', port: 0 })
    expect(await answers(server, '127.0.0.1')).toBe(true)
    if (networkAddress !== undefined) expect(await answers(server, networkAddress)).toBe(true)
    expect(await answers(server, '[::1]')).toBe(false)
  })

  it('answers at every address of IPv4 and IPv6 on ::', async ({ skip }) => {
    skip(!hasIpv6, noIpv6)
    const server = await serve({ host: '::', port: 0 })
    expect([await answers(server, '127.0.0.1'), await answers(server, '[::1]')]).toEqual([true, true])
    if (networkAddress !== undefined) expect(await answers(server, networkAddress)).toBe(true)
  })

  it('answers at one address alone when it is one', async () => {
    const server = await serve({ host: '127.0.0.1', port: 0 })
    expect([await answers(server, '127.0.0.1'), await answers(server, '[::1]')]).toEqual([true, false])
  })

  it.each([
    ['no-such-host.invalid', 'CAIRN_HOST is no-such-host.invalid, a name that cannot be resolved.'],
    ['192.0.2.1', 'CAIRN_HOST is 192.0.2.1, which is no address of this machine.'],
    ['2001:db8::1', 'CAIRN_HOST is 2001:db8::1, which is no address of this machine.'],
  ])('is refused %s in a sentence that names the setting and the way out', async (host, sentence) => {
    const refused = serve({ host, port: 0 })
    await expect(refused).rejects.toThrow(sentence)
    await expect(refused).rejects.toThrow('set it to 0.0.0.0 or :: for every network')
  })
})
