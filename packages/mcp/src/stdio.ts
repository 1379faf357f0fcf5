import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer, type McpServerOptions } from './server.ts'

/** Serves an assistant over standard input and output until the assistant closes them. */
export const serveStdio = async (options: McpServerOptions): Promise<void> => {
  const server = createMcpServer(options)
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve
    process.stdin.once('end', () => void server.close())
  })
  await server.connect(new StdioServerTransport())
  await closed
}
