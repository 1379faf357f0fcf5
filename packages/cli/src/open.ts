import { spawn } from 'node:child_process'
import type { Command } from './command.ts'

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the address in the browser of the system; on a machine without one nothing happens. */
const openInBrowser = (address: string): void => {
  const [command = 'xdg-open', ...args] = openers[process.platform] ?? []
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}

export const openCommand: Command = {
  name: 'open',
  summary: 'Open the console of the server in a browser, and print its address',
  options: { print: { type: 'boolean', description: 'Print the address only.' } },
  run: async ({ settings, print, isTerminal }, input) => {
    const address = `${settings.url}/console`
    print(`${address}\n`)
    if (isTerminal && !input.flag('print') && !input.flag('json')) openInBrowser(address)
    return { data: { address } }
  },
}
