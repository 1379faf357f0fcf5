import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer, type McpServerOptions } from './server.ts'

/** Serves until the assistant closes standard input and output. */
export const serveStdio = async (options: McpServerOptions): Promise<void> => {
  const server = createMcpServer(options)
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve
    process.stdin.once('end', () => void server.close())
  })
  await server.connect(new StdioServerTransport())
  await closed
}
