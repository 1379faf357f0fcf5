import { spawn } from 'node:child_process'
import type { Command } from './command.ts'

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the URL in the system's browser; does nothing on a machine without a browser. */
const openInBrowser = (address: string): void => {
  const [command = 'xdg-open', ...args] = openers[process.platform] ?? []
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}

export const openCommand: Command = {
  name: 'open',
  summary: 'Open the console of the server in a browser, signed in, and print its address',
  options: { print: { type: 'boolean', description: 'Print the address only.' } },
  notes: ['The address holds a code that signs in with the API key, once and within ten minutes.'],
  run: async ({ cairn, settings, print, isTerminal, signal }, input) => {
    const { path, expires_at } = await cairn().consoleCode({ signal })
    const address = `${settings.url}${path}`
    print(`${address}\n`)
    if (isTerminal && !input.flag('print') && !input.flag('json')) openInBrowser(address)
    return { data: { address, expires_at } }
  },
}
