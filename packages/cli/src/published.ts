#!/usr/bin/env node
import { AppError } from '@cairn/contracts/errors'
import { runProcess } from './process.ts'

// The entry of the published package. It has no models: their native libraries are many times larger than the command.
await runProcess(async () => {
  throw new AppError(
    'invalid',
    'This package has no embedding models: run edge pull and edge import in a checkout of Cairn (npm run cairn -- edge pull)',
  )
})
