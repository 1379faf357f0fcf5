import { isIPv4 } from 'node:net'

type Address = { readonly host: string; readonly port: number }

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))

export const hostName = (header: string): string => header.replace(/:\d*$/, '').toLowerCase()

const isEveryNetwork = (host: string): boolean => host === '::' || host === '0.0.0.0'

/** Address for programs of this machine. `loopback` is used if the host includes the loopback addresses. */
export const ownAddress = ({ host, port }: Address, loopback: 'localhost' | '127.0.0.1' = 'localhost'): string => {
  const name = isEveryNetwork(host) || host === 'localhost' ? loopback : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Says from where a server that listens on `host` is reachable. */
export const reachOf = ({ host, port }: Address): string => {
  if (isLoopback(host)) return 'this machine only; CAIRN_HOST=0.0.0.0 opens it to the network (docs/deployment.md)'
  const where = isEveryNetwork(host) ? `every network of this machine, on port ${port}` : 'the network of that address'
  return `${where}, without TLS (CAIRN_HOST=${host})`
}
