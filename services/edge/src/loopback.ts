import { isIPv4 } from 'node:net'

/** Addresses and names that only this machine has. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))

/** Of a `Host` header. */
export const hostName = (header: string): string => header.replace(/:\d*$/, '').toLowerCase()
