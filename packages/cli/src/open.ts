import { spawn } from 'node:child_process'
import type { Command } from './command.ts'

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // No shell, such as that of `start`: it would run what follows an "&" in the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Returns a program and its arguments. */
export const openerOf = (platform: NodeJS.Platform): readonly string[] => openers[platform] ?? ['xdg-open']

/** Does nothing on a machine without a browser. */
const openInBrowser = (address: string): void => {
  const [command = '', ...args] = openerOf(process.platform)
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}

/** Throws TypeError if the path leads to another server. */
const addressOf = (url: string, path: string): string => {
  const address = new URL(`${url}${path}`)
  if (address.origin !== new URL(url).origin) throw new TypeError(`${path} leads to another server`)
  return address.href
}

export const openCommand: Command = {
  name: 'open',
  summary: 'Open the console of the server in a browser, signed in, and print its address',
  options: { print: { type: 'boolean', description: 'Print the address only.' } },
  notes: ['The address holds a code that signs in with the API key, once and within ten minutes.'],
  run: async ({ cairn, settings, print, isTerminal, signal }, input) => {
    const { path, expires_at } = await cairn().consoleCode({ signal })
    const address = addressOf(settings.url, path)
    print(`${address}\n`)
    if (isTerminal && !input.flag('print') && !input.flag('json')) openInBrowser(address)
    return { data: { address, expires_at } }
  },
}
