import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range from which outgoing connections take their own ports, so that a restarted engine finds its port still
 * free.
 */
const [lowest, count] = [20_000, 12_000] as const
const maxAttempts = 200

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Returns distinct free loopback ports. If another process takes a port before it is used, the listener fails. */
export const freePorts = async (wanted: number): Promise<number[]> => {
  const ports = new Set<number>()
  for (let tries = 0; ports.size < wanted && tries < maxAttempts; tries += 1) {
    const port = lowest + Math.floor(Math.random() * count)
    if (!ports.has(port) && (await isFree(port))) ports.add(port)
  }
  if (ports.size < wanted) throw new Error(`no ${wanted} free ports from ${lowest} on`)
  return [...ports]
}
