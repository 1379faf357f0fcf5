import { expect, it } from 'vitest'
import { startServer } from './start-server.ts'

it('starts the server beside the command, and removes its data when it stops', { timeout: 60_000 }, async () => {
  const server = await startServer({}, { embedder: 'lexical', signal: new AbortController().signal })
  try {
    const answer = await fetch(`${server.url}/v1/namespaces`, { headers: { 'x-api-key': server.apiKey } })
    expect(answer.status).toBe(200)
  } finally {
    await server.stop()
  }
  await expect(fetch(`${server.url}/v1/namespaces`)).rejects.toThrow()
})
