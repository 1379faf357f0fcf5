import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openScratchFolder, scratchFolderIn } from './scratch-folder.ts'

const newParent = () => {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-scratch-')))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return parent
}
/** Returns the pid of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['--version']).pid

it('is created, without the folders of processes that have ended', async () => {
  const parent = newParent()
  const left = join(parent, `process-${deadPid()}`)
  const others = [join(parent, `process-${process.ppid}`), join(parent, 'kept')]
  for (const folder of [left, ...others]) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'file'), 'text')
  }
  await openScratchFolder(parent)
  expect(existsSync(left)).toBe(false)
  for (const folder of others) expect(existsSync(join(folder, 'file'))).toBe(true)
  expect(existsSync(scratchFolderIn(parent))).toBe(true)
})

it('ends the children of a process that has ended, and no others', async ({ skip }) => {
  skip(!existsSync('/proc/self/cmdline'), 'needs /proc, which Linux has')
  const parent = newParent()
  const folder = join(parent, `process-${deadPid()}`)
  mkdirSync(folder)
  const busy = (writesTo: string) => {
    // The child never reads its standard input, so it does not notice that its parent has ended.
    const child = spawn(process.execPath, ['-e', 'for (;;) {}', '--', `--allow-fs-write=${writesTo}`], {
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  const [reader, other] = [
    busy(join(folder, 'cairn-extract-1')),
    busy(join(parent, `process-${process.pid}`, 'cairn-extract-2')),
  ]
  const ended = once(reader, 'exit')
  await openScratchFolder(parent)
  expect((await ended)[1]).toBe('SIGKILL')
  expect([other.exitCode, other.signalCode]).toEqual([null, null])
})
