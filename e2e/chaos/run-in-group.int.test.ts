import { readFileSync } from 'node:fs'
import { eventually } from '@cairn/testing/eventually'
import { expect, it } from 'vitest'
import { runInGroup } from './run-in-group.ts'

const env = { PATH: process.env['PATH'] }

const isAlive = (pid: number): boolean => {
  try {
    // A zombie process is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

it('gives what a command wrote, and says why one failed', async () => {
  await expect(runInGroup('bash', ['-c', 'echo $((1 + 1))'], { env, timeoutMs: 5_000 }).done).resolves.toBe('2\n')
  await expect(runInGroup('bash', ['-c', 'echo no >&2; exit 3'], { env, timeoutMs: 5_000 }).done).rejects.toThrow(
    /ended with 3\nno/,
  )
})

it('ends a command together with what it has started, at once or when its time is over', async () => {
  for (const timeoutMs of [60_000, 500]) {
    const run = runInGroup('bash', ['-c', 'sleep 60 & echo $! >&2; wait'], { env, timeoutMs })
    const failure = run.done.catch((error: Error) => error.message)
    if (timeoutMs > 1_000) setTimeout(run.kill, 500)
    const message = await failure
    expect(message).toContain('ended with SIGKILL')
    const inner = Number(/(\d+)\s*$/.exec(String(message))?.[1])
    expect(inner).toBeGreaterThan(1)
    await eventually(
      () => isAlive(inner),
      (alive) => !alive,
      { withinMs: 5_000, everyMs: 20 },
    )
  }
})
