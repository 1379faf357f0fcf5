#!/usr/bin/env node
import { AppError } from '@cairn/contracts/errors'
import { runProcess } from './process.ts'

const notInPackage = (what: string, command: string) => async () => {
  throw new AppError(
    'invalid',
    `This package has no ${what}: run ${command} in a checkout of Cairn (npm run cairn -- ${command})`,
  )
}

// Neither models nor readers of files: their native libraries are many times larger than the command.
await runProcess({
  embedder: notInPackage('embedding models', 'edge pull'),
  reader: notInPackage('readers of files', 'read'),
})
