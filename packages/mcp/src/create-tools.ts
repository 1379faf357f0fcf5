import { type Cairn, CairnError } from '@cairn/client'
import type { McpServer, ToolCallback } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type * as z from 'zod'

/** In an error message. */
const maxNames = 20

type Result = Record<string, unknown>
type Tool<S> = { readonly title: string; readonly description: string; readonly inputSchema: S }

/** Lists existing namespaces if one of those sent does not exist; else empty. */
const rightNames = async (cairn: Cairn, { namespace, namespaces = [] }: Result): Promise<string> => {
  const known = (await cairn.namespaces.list()).map(({ namespace_name: name }) => name)
  const sent = [namespace, namespaces].flat().filter((name) => typeof name === 'string')
  if (sent.every((name) => known.includes(name))) return ''
  return `. The namespaces are: ${known.slice(0, maxNames).join(', ')}${known.length > maxNames ? ', …' : ''}`
}

/** Returns failures as results, so that the assistant reads the reason, the remedy and the namespaces that exist. */
export const createTools =
  (server: McpServer, cairn: Cairn, annotations: ToolAnnotations) =>
  <S extends z.ZodRawShape>(name: string, tool: Tool<S>, work: (sent: z.output<z.ZodObject<S>>) => Promise<Result>) => {
    const call = async (sent: z.output<z.ZodObject<S>>): Promise<CallToolResult> => {
      try {
        const value = await work(sent)
        return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value }
      } catch (error) {
        if (!(error instanceof CairnError)) throw error
        const names = error.code === 'not_found' ? await rightNames(cairn, sent).catch(() => '') : ''
        const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`
        return { content: [{ type: 'text', text: `${error.message}${names}${request}` }], isError: true }
      }
    }
    server.registerTool(name, { ...tool, annotations }, call as unknown as ToolCallback<S>)
  }
