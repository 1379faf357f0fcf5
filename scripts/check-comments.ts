import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findVagueComments } from './lib/comments.ts'

const root = path.dirname(import.meta.dirname)
const listed = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'],
  { cwd: root, encoding: 'utf8' },
)
const files = listed.split('\0').filter((file) => file !== '' && existsSync(path.join(root, file)))
const faults = files.flatMap((file) =>
  findVagueComments(readFileSync(path.join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line}: ${text}`),
)

for (const fault of faults) console.error(fault)
console.log(
  `${files.length} files, ${faults.length} comments whose subject must be guessed: name it, then say what it does`,
)
if (faults.length > 0) process.exitCode = 1
