import { Cairn } from '@cairn/client'
import { apiInfo } from '@cairn/contracts/api/openapi'
import { AppError } from '@cairn/contracts/errors'
import { sendMcpMessage } from '@cairn/contracts/http/mcp'
import type { Endpoint, Guard, GuardedRequest } from '@cairn/runtime/http/api-request'
import type { Caller } from '../call.ts'

export const mcpModes = ['off', 'read', 'write'] as const

export type McpDeps = {
  readonly mcp: (typeof mcpModes)[number]
  /** Tools call the API there with the caller's key. */
  readonly ownUrl: () => string
  readonly corsOrigins: readonly string[]
}

/** Reads the bearer token, which MCP clients send, or `x-api-key`. */
export const mcpKeyOf = ({ header }: Pick<GuardedRequest<Caller>, 'header'>): string | undefined =>
  header('x-api-key') ?? /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1]

const isOfThisMachine = (origin: string): boolean =>
  /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin)

/**
 * Rejects pages of other origins, as the protocol requires; `*` does not allow them. `Host` can't be trusted: a page
 * whose name is made to resolve to this machine sends its own name there.
 */
export const checkOrigin =
  ({ corsOrigins }: Pick<McpDeps, 'corsOrigins'>): Guard<Caller> =>
  ({ header }) => {
    const origin = header('origin')
    if (origin === undefined || isOfThisMachine(origin) || corsOrigins.includes(origin)) return
    throw new AppError('forbidden', `Pages of ${origin} may not use /mcp; list the origin in CAIRN_CORS_ORIGINS.`)
  }

/** Tools call the API, so they have exactly the rights of the key. */
export const mcpEndpoint = ({ mcp, ownUrl }: McpDeps): Endpoint<Caller> => ({
  operation: sendMcpMessage,
  handle: async (request) => {
    // On the first message: most installations never get one.
    const { answerMcp } = await import('@cairn/mcp/http')
    const { signal } = request
    const cairn = new Cairn({
      url: ownUrl(),
      apiKey: mcpKeyOf(request) ?? '',
      retries: 0,
      // Otherwise a waiting tool would outlive its client.
      fetch: (sent, init) =>
        fetch(sent, { ...init, signal: AbortSignal.any(sent instanceof Request ? [signal, sent.signal] : [signal]) }),
    })
    const { status, body, contentType } = await answerMcp({
      cairn,
      version: apiInfo.version,
      canWrite: mcp === 'write',
      headers: request.raw.headers,
      message: request.sentBody,
    })
    return { status, body, headers: { 'content-type': contentType ?? 'application/json' } }
  },
})
