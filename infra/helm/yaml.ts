import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const outputBytes = 64 * 1024 * 1024

/** Template that prints the documents of a file as JSON, one per line. */
const reader = `{{- range splitList "\\n---\\n" (printf "\\n%s" (.Files.Get "input.yaml")) }}
{{- with fromYaml . }}
---
{{ toJson . }}
{{- end }}
{{- end }}
`

/** Parses YAML documents with the parser of Helm and Kubernetes. Empty documents are left out. */
export const documentsOf = async (helm: string, yaml: string): Promise<unknown[]> => {
  const chart = await mkdtemp(join(tmpdir(), 'cairn-yaml-'))
  try {
    await mkdir(join(chart, 'templates'))
    await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: reader\nversion: 0.1.0\n')
    await writeFile(join(chart, 'templates', 'output.yaml'), reader)
    await writeFile(join(chart, 'input.yaml'), yaml)
    const { stdout } = await promisify(execFile)(helm, ['template', chart], { maxBuffer: outputBytes })
    const documents = stdout.split('\n').filter((line) => line.startsWith('{'))
    return documents.map((line) => JSON.parse(line) as unknown)
  } finally {
    await rm(chart, { recursive: true, force: true })
  }
}
