import { Cairn } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { sendMcpMessage } from '@cairn/contracts/http/mcp'
import { apiInfo } from '@cairn/contracts/openapi'
import type { Endpoint, Guard, GuardedRequest } from '@cairn/runtime/api-request'
import type { Caller } from '../call.ts'

export const mcpModes = ['off', 'read', 'write'] as const

export type McpDeps = {
  readonly mcp: (typeof mcpModes)[number]
  /** Address of this process, through which tools call the API with the key of their caller. */
  readonly ownUrl: () => string
  readonly corsOrigins: readonly string[]
}

/** Returns the key of a request: clients of the protocol send it as a bearer token, those of the API in `x-api-key`. */
export const mcpKeyOf = ({ header }: Pick<GuardedRequest<Caller>, 'header'>): string | undefined =>
  header('x-api-key') ?? /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1]

const isOfThisMachine = (origin: string): boolean =>
  /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin)

/**
 * Rejects pages of other origins, as the protocol requires. The `Host` header says nothing: a page whose name is made to
 * resolve to this machine sends its own name there. `*` is not enough here.
 */
export const checkOrigin =
  ({ corsOrigins }: Pick<McpDeps, 'corsOrigins'>): Guard<Caller> =>
  ({ header }) => {
    const origin = header('origin')
    if (origin === undefined || isOfThisMachine(origin) || corsOrigins.includes(origin)) return
    throw new AppError('forbidden', `Pages of ${origin} may not use /mcp; list the origin in CAIRN_CORS_ORIGINS.`)
  }

/** Answers messages of the Model Context Protocol. Tools go through the API, so they have the rights of the key and no others. */
export const mcpEndpoint = ({ mcp, ownUrl }: McpDeps): Endpoint<Caller> => ({
  operation: sendMcpMessage,
  handle: async (request) => {
    // Loaded by the first message: most installations never get one.
    const { answerMcp } = await import('@cairn/mcp/http')
    const { signal } = request
    const cairn = new Cairn({
      url: ownUrl(),
      apiKey: mcpKeyOf(request) ?? '',
      retries: 0,
      // A tool ends with the request of its caller: otherwise a waiting one would outlive its client.
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
