import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type ImagePolicy, imageFaults } from './lib/images.ts'
import { repositoryFiles } from './lib/repository-files.ts'

const root = path.dirname(import.meta.dirname)
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
/** Files that start containers, or tell readers to. */
const kinds = ['*.yml', '*.yaml', '*Dockerfile', '*.sh', '*.ts', 'README.md', 'docs/*.md', ':!docs/adr', ':!*.test.ts']
const files = new Map(repositoryFiles(root, kinds).map((file) => [file, read(file)]))
const faults = imageFaults(files, JSON.parse(read('scripts/denied-images.json')) as ImagePolicy)

for (const fault of faults) console.error(fault)
console.log(`${files.size} files, ${faults.length} denied images`)
if (faults.length > 0) process.exitCode = 1
