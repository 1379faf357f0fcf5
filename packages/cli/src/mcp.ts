import { realpath, stat } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { CairnError } from '@cairn/client'
import { apiInfo } from '@cairn/contracts/api/openapi'
import { contentTypeOf, fileExtensions } from '@cairn/contracts/files/file-rules'
import { serveStdio } from '@cairn/mcp/stdio'
import type { Command } from './command.ts'
import { isLeftOut } from './transfer/find-files.ts'

/**
 * A malicious document may trick an assistant into sending secrets, so only files that `cairn add` would find are sent:
 * keys and credentials are in hidden folders or have an unsupported type. Links are resolved before the check.
 */
const openFile = async (path: string) => {
  const refused = (why: string) => new CairnError('invalid', `${path} ${why}`)
  const real = await realpath(path).catch((cause: NodeJS.ErrnoException) => {
    throw refused(`can't be read (${cause.code})`)
  })
  if (real.split(sep).some(isLeftOut)) throw refused('is hidden, or in a hidden folder or node_modules')
  if (!(await stat(real)).isFile() || contentTypeOf(real) === undefined)
    throw refused(`is not a file of these types: ${fileExtensions.join(', ')}`)
  return { content: real, name: basename(path) }
}

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve an assistant over standard input and output (Model Context Protocol)',
  options: { write: { type: 'boolean', description: 'Also offer the tools that add texts and files.' } },
  notes: [
    'An assistant starts this command itself: docs/mcp.md has the settings for Claude, Cursor and VS Code.',
    'It uses CAIRN_URL and CAIRN_API_KEY, else the profile of cairn login, else the address and the key of the data directory.',
  ],
  run: async ({ cairn }, input) => {
    await serveStdio({
      cairn: cairn(),
      version: apiInfo.version,
      canWrite: input.flag('write'),
      openFile,
    })
    return { data: null }
  },
}
