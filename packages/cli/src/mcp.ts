import { basename } from 'node:path'
import { apiInfo } from '@cairn/contracts/openapi'
import { serveStdio } from '@cairn/mcp/stdio'
import type { Command } from './command.ts'

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve an assistant over standard input and output (Model Context Protocol)',
  options: { write: { type: 'boolean', description: 'Offer the tools that add texts and files.' } },
  notes: [
    'An assistant starts this command itself: docs/mcp.md has the settings for Claude, Cursor and VS Code.',
    'It uses CAIRN_URL and CAIRN_API_KEY, else the address and the key of the data directory.',
  ],
  run: async ({ cairn }, input) => {
    await serveStdio({
      cairn: cairn(),
      version: apiInfo.version,
      canWrite: input.flag('write'),
      openFile: async (path) => ({ content: path, name: basename(path) }),
    })
    return { data: null }
  },
}
