import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Returns a `java` wrapper that adds a listener for the proxy to the broker's settings. A broker sends clients its
 * advertised address, so clients behind a proxy need a listener that advertises the proxy. The other listener is
 * unchanged, for access without the proxy.
 *
 * A wrapper in the PATH is used because `engines.sh` rewrites the broker's settings before each start.
 */
const script = (java: string, port: number, proxyPort: number): string => `#!/usr/bin/env bash
set -euo pipefail
settings=\${!#}
if [[ $settings == */server.properties ]] && ! grep -q PROXIED "$settings"; then
  sed -i -E \\
    -e 's|^(listeners=.*)|\\1,PROXIED://127.0.0.1:${port}|' \\
    -e 's|^(advertised.listeners=.*)|\\1,PROXIED://127.0.0.1:${proxyPort}|' \\
    -e 's|^(listener.security.protocol.map=.*)|\\1,PROXIED:PLAINTEXT|' \\
    -e '$ a inter.broker.listener.name=PLAINTEXT' "$settings"
fi
exec '${java}' "$@"
`

/**
 * Creates a folder with the wrapper and returns a PATH that begins with the folder. `java`: path of the real program.
 */
export const pathToProxiedKafka = (options: {
  readonly folder: string
  readonly java: string
  readonly port: number
  readonly proxyPort: number
}): string => {
  const { folder, java, port, proxyPort } = options
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'java')
  writeFileSync(file, script(java, port, proxyPort))
  chmodSync(file, 0o755)
  return [folder, process.env['PATH']].join(delimiter)
}
