import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'

const script = join(import.meta.dirname, 'stand-ins', 'make.sh')

it('starts with an empty cache in a folder that does not exist yet', () => {
  const directory = temporaryDirectory()
  const programs = join(directory, 'bin')
  mkdirSync(programs)
  // Makes the script exit where it would download Debian.
  writeFileSync(join(programs, 'debootstrap'), '#!/bin/sh\nexit 42\n', { mode: 0o755 })
  const run = 'PATH=$1:$PATH XDG_CACHE_HOME=$2 exec bash "$3" "$4"'
  const args = [programs, join(directory, 'cache'), script, join(directory, 'not', 'there')]
  const { status, stderr } = spawnSync('bash', ['-c', run, 'bash', ...args], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 42, stderr: '' })
})
