import { readFileSync } from 'node:fs'
import path from 'node:path'
import { findVagueComments } from './lib/comments.ts'
import { repositoryFiles } from './lib/repository-files.ts'

const root = path.dirname(import.meta.dirname)
const files = repositoryFiles(root, ['*.ts', '*.tsx', '*.mjs'])
const faults = files.flatMap((file) =>
  findVagueComments(readFileSync(path.join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line}: ${text}`),
)

for (const fault of faults) console.error(fault)
console.log(
  `${files.length} files, ${faults.length} comments whose subject must be guessed: name it, then say what it does`,
)
if (faults.length > 0) process.exitCode = 1
