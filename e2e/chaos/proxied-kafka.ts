import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * A broker tells its clients where to go on, so a link through a proxy needs a listener of its own, by whose address the broker
 * names the proxy. The other listener stays as it was: for whoever looks on, whatever becomes of the link.
 *
 * `engines.sh` writes the broker's settings anew before each start; so what stands before `java` in the PATH adds to them.
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

/** Makes the folder and resolves to the PATH that begins with it. `java`: the program itself. */
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
