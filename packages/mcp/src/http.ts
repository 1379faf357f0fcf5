import type { Cairn } from '@cairn/client'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer } from './server.ts'

export type McpRequest = {
  readonly cairn: Cairn
  readonly version: string
  readonly canWrite: boolean
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Parsed JSON-RPC. */
  readonly message: unknown
}

export type McpResponse = { readonly status: number; readonly body: string; readonly contentType: string | null }

const batchRefused: McpResponse = {
  status: 400,
  body: JSON.stringify({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Batches are not supported; send one message in a request' },
    id: null,
  }),
  contentType: 'application/json',
}

/** Stateless: any process can answer the next message. JSON, since no tool sends anything before its result. */
export const answerMcp = async ({ headers, message, ...options }: McpRequest): Promise<McpResponse> => {
  // A batch multiplies the work of one request, and one that cancels its own request never gets a response.
  if (Array.isArray(message)) return batchRefused
  const server = createMcpServer(options)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') ? [] : ([[name, [value].flat().join(', ')]] as [string, string][]),
    )
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: sent })
    const response = await transport.handleRequest(request, { parsedBody: message })
    return {
      status: response.status,
      body: await response.text(),
      contentType: response.headers.get('content-type'),
    }
  } finally {
    await server.close()
  }
}
