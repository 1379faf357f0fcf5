import * as z from 'zod'
import { limits } from '../limits.ts'
import { keyFailures, operation } from './operation.ts'

/** Not in the published document: MCP clients follow the protocol's own specification. */
export const sendMcpMessage = operation({
  operationId: 'sendMcpMessage',
  method: 'post',
  path: '/mcp',
  tag: 'Service',
  summary: 'Model Context Protocol',
  auth: 'key',
  scope: 'read',
  errors: 'data',
  request: { body: { schema: z.unknown(), keys: limits.mcpKeys, elements: limits.mcpElements } },
  responses: {
    200: { description: 'The response to a request.', text: 'application/json' },
    202: { description: 'A notification was received.' },
  },
  failures: keyFailures({ 400: 'The message does not follow the protocol.' }),
})
