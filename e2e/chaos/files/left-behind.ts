import { existsSync, readdirSync } from 'node:fs'
import { processesOf } from '../processes-of.ts'

/** Returns a fault for each temporary file or reader process left on the machine once no service runs. */
export const leftBehind = (scratch: string): string[] => {
  const entries = existsSync(scratch) ? readdirSync(scratch, { recursive: true, withFileTypes: true }) : []
  const files = entries.filter((entry) => !entry.isDirectory() || !/^process-\d+$/.test(entry.name))
  return [
    ...files.map(({ parentPath, name }) => `I8: ${parentPath}/${name} was left in the scratch folder`),
    ...processesOf(scratch).map(({ pid, command }) => `I8: the process ${pid} still reads: ${command.slice(-200)}`),
  ]
}
