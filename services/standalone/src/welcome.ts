import type { Embedder, Embedders } from '@cairn/domain/ports/embedder'
import { isLoopback, reachOf } from '@cairn/runtime/http/own-address'

type Addresses = {
  /** For programs of this machine. */
  readonly address: string
  /** As listened on. */
  readonly host: string
  readonly port: number
  /** At which clients reach the server through a proxy. */
  readonly publicUrl: string | undefined
  /** Undefined: no console. Empty: no code was created. */
  readonly consoleCode: string | undefined
  readonly mcp: 'off' | 'read' | 'write'
  readonly dataDir: string
  /** Set if this start created the key, which is printed only then. */
  readonly newApiKey?: string | undefined
}

type Welcome = Addresses & {
  /** Without its fallback: if it has failed by now, this says so. */
  readonly configured: Embedder
  readonly embedders: Pick<Embedders, 'current'>
  readonly write: (text: string) => void
}

const progressEveryMs = 1_000

/** Prints a line for each quarter, until the model is ready or failed. */
const printModelState = async ({
  configured: embedder,
  embedders,
  write,
}: Pick<Welcome, 'configured' | 'embedders' | 'write'>): Promise<void> => {
  let printed = ''
  const print = () => {
    const status = embedder.status()
    if (status.state !== 'loading') return
    const quarter = status.progress === undefined ? '' : ` ${Math.floor(status.progress * 4) * 25} %`
    const line = `  model     ${status.detail}${quarter}\n`
    if (line !== printed) write(line)
    printed = line
  }
  print()
  const timer = setInterval(print, progressEveryMs).unref()
  await embedder.settled()
  clearInterval(timer)
  const status = embedder.status()
  const now = embedders.current().model
  if (status.state === 'failed')
    write(
      `  model     ${status.detail}\n            New namespaces are ${now.provider}: they are searched by words, not by meaning.\n`,
    )
  else write(`  model     ready: ${now.model} (${now.provider}, ${now.dimension} dimensions)\n`)
}

/** Says which address the printed links have, unless it is plain: this machine only, without a proxy. */
const linkLines = ({ address, host, publicUrl }: Addresses): string[] => {
  if (publicUrl !== undefined) return [`  links     begin with ${publicUrl} (CAIRN_PUBLIC_URL)`]
  if (isLoopback(host)) return []
  return [`  links     begin with ${address}; set CAIRN_PUBLIC_URL to the address that clients use`]
}

/** Says what is reachable, from where, and with which key. */
export const addressLines = (options: Addresses): string[] => {
  const { address, host, port, publicUrl, consoleCode, mcp, dataDir, newApiKey } = options
  const url = (publicUrl ?? address).replace(/\/+$/, '')
  const console = [
    `  console   ${url}/${consoleCode ? `#code=${consoleCode}` : ''}`,
    ...(consoleCode
      ? ['            (the code signs in once, within 10 minutes; `npm run cairn -- open` creates another one)']
      : []),
  ]
  return [
    '',
    `Cairn is listening on ${address}`,
    `  open to   ${reachOf({ host, port })}`,
    ...linkLines(options),
    ...(consoleCode === undefined ? [] : console),
    `  API       ${url}/v1, described at ${url}/docs`,
    ...(mcp === 'off' ? [] : [`  MCP       ${url}/mcp, for assistants${mcp === 'read' ? ' (read only)' : ''}`]),
    ...(newApiKey === undefined
      ? [`  API key   in ${dataDir}/api-key`]
      : [`  API key   ${newApiKey}`, `            (also in ${dataDir}/api-key)`]),
    `  try       curl -H "x-api-key: $(cat ${dataDir}/api-key)" ${address}/v1/namespaces`,
  ]
}

/** Prints the first lines, then the model's progress. */
export const welcome = ({ configured, embedders, write, ...addresses }: Welcome): void => {
  write(`${addressLines(addresses).join('\n')}\n`)
  void printModelState({ configured, embedders, write })
}
