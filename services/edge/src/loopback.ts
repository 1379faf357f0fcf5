import { isIPv4 } from 'node:net'

/** Whether the address or name refers to this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))

/** Returns the name in a `Host` header. */
export const hostName = (header: string): string => header.replace(/:\d*$/, '').toLowerCase()
