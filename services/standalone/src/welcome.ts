import type { Embedders } from '@cairn/domain/ports/embedder'

type Welcome = {
  /** URL for programs of this machine. */
  readonly address: string
  /** Text that says from where the server is reachable. */
  readonly reach: string
  readonly dataDir: string
  readonly apiKey: string
  /** Whether this start created the key; the key is printed only then. */
  readonly isFirst: boolean
  /** Undefined: there is no console. */
  readonly consoleCode: string | undefined
  readonly embedders: Embedders
  readonly write: (text: string) => void
}

const progressEveryMs = 1_000

/** Prints the model's state until the model is ready or failed: one line per step, not per percent. */
const printModelState = async ({ embedders, write }: Welcome): Promise<void> => {
  const embedder = embedders.current()
  let printed = ''
  const print = () => {
    const status = embedder.status()
    if (status.state !== 'loading') return
    const tenth = status.progress === undefined ? '' : ` ${Math.floor(status.progress * 10) * 10} %`
    const line = `  model     ${status.detail}${tenth}\n`
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

/** Prints the first steps: address, key, docs, an example command. */
export const welcome = (options: Welcome): void => {
  const { address, reach, dataDir, apiKey, isFirst, consoleCode, write } = options
  const key = isFirst ? `${apiKey}\n            (also in ${dataDir}/api-key)` : `in ${dataDir}/api-key`
  write(
    [
      '',
      `Cairn is listening on ${address}`,
      `  open to   ${reach}`,
      `  API key   ${key}`,
      ...(consoleCode === undefined
        ? []
        : [
            `  console   ${address}/#code=${consoleCode}\n            (the code signs in once, within 10 minutes; \`cairn open\` creates another one)`,
          ]),
      `  docs      ${address}/docs`,
      `  try       curl -H "x-api-key: $(cat ${dataDir}/api-key)" ${address}/v1/namespaces`,
      '',
    ].join('\n'),
  )
  void printModelState(options)
}
