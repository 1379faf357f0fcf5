import { existsSync, readdirSync } from 'node:fs'
import { processesOf } from '../processes-of.ts'

/** What the reading of files has left on the machine once no service runs: files being read, and processes that read them. */
export const leftBehind = (scratch: string): string[] => {
  const entries = existsSync(scratch) ? readdirSync(scratch, { recursive: true, withFileTypes: true }) : []
  const files = entries.filter((entry) => !entry.isDirectory() || !/^process-\d+$/.test(entry.name))
  return [
    ...files.map(({ parentPath, name }) => `I8: ${parentPath}/${name} was left in the scratch folder`),
    ...processesOf(scratch).map(({ pid, command }) => `I8: the process ${pid} still reads: ${command.slice(-200)}`),
  ]
}
