import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as TcpServer } from 'node:net'
import { AppError } from '@cairn/contracts/errors'
import { closeServer } from './http-server.ts'

type ListenOptions = {
  /** `localhost` always means both loopback addresses, whatever it resolves to. */
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Connections that wait to be accepted. Default: Node's 511. */
  readonly backlog?: number
  /** Default `::1`. Tests set an address that the machine does not have. */
  readonly ipv6Loopback?: string
}

export type Listening = {
  readonly port: number
  /** Resolves when all requests in progress are answered. */
  close(): Promise<void>
}

const freePortTries = 10
const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code)
const portOf = (server: TcpServer): number => (server.address() as AddressInfo).port

const causes: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is in use. End the program that listens there, or set PORT to another port.`,
  EACCES: (_, port) => `This user may not listen on port ${port}. Set PORT to 1024 or higher.`,
  EADDRNOTAVAIL: (host) => `CAIRN_HOST is ${host}, which is no address of this machine. ${choices}`,
  ENOTFOUND: (host) => `CAIRN_HOST is ${host}, a name that cannot be resolved. ${choices}`,
}
const choices =
  'Leave it unset for this machine only, set it to 0.0.0.0 or :: for every network, or to an address of this machine.'
/** Codes with the same cause. */
const aliases: Readonly<Record<string, string>> = {
  EAFNOSUPPORT: 'EADDRNOTAVAIL',
  EINVAL: 'EADDRNOTAVAIL',
  EAI_AGAIN: 'ENOTFOUND',
}

const bind = (server: TcpServer, { host, port, backlog }: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (error: Error) => {
      const cause = causes[aliases[codeOf(error)] ?? codeOf(error)]
      reject(cause ? new AppError('conflict', cause(host, port), { cause: error }) : error)
    }
    server.once('error', refuse)
    server.listen({ host, port, ...(backlog === undefined ? {} : { backlog }) }, () => {
      server.off('error', refuse)
      resolve()
    })
  })

/** Passes IPv6 connections to `server`. Returns undefined if the machine has no such address. */
const bindIpv6Loopback = async (server: Server, options: ListenOptions): Promise<TcpServer | undefined> => {
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  second.maxConnections = server.maxConnections
  second.on('drop', (data) => server.emit('drop', data))
  try {
    await bind(second, { ...options, host: options.ipv6Loopback ?? '::1' })
    return second
  } catch (error) {
    const code = codeOf((error as Error).cause)
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return undefined
    throw error
  }
}

/** Listens on both addresses: `localhost` resolves to `::1` first on some machines and to 127.0.0.1 on others. */
const bindLoopback = async (server: Server, options: ListenOptions): Promise<TcpServer | undefined> => {
  for (let tries = 1; ; tries += 1) {
    const second = await bindIpv6Loopback(server, options)
    try {
      await bind(server, { ...options, host: '127.0.0.1', port: second ? portOf(second) : options.port })
      return second
    } catch (error) {
      second?.close()
      const isTaken = codeOf((error as Error).cause) === 'EADDRINUSE'
      if (!isTaken || options.port !== 0 || tries === freePortTries) throw error
    }
  }
}

/** Rejects with an AppError that names the setting if the host or port can't be used. */
export const listen = async (server: Server, options: ListenOptions): Promise<Listening> => {
  const second = options.host === 'localhost' ? await bindLoopback(server, options) : undefined
  if (options.host !== 'localhost') await bind(server, options)
  const closeSecond = () => new Promise<void>((resolve) => (second ? second.close(() => resolve()) : resolve()))
  return { port: portOf(server), close: async () => void (await Promise.all([closeServer(server), closeSecond()])) }
}
