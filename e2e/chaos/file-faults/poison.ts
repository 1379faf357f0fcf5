import { setTimeout as pause } from 'node:timers/promises'
import { untilRead } from '../files/file-load.ts'
import { bring } from '../files/file-plan.ts'
import { processesOf } from '../processes-of.ts'
import type { Scene, Tried } from './scene.ts'

const neighbours = 6
const readWithinMs = 180_000
const lookEveryMs = 20
const maxAttempts = 3
const poison = 'poison.pdf'

/**
 * F13: kills each process that reads one certain file, as if the parser crashed; other files must still be processed.
 */
export const poisonParser = async ({ system, stores, place, seed, say }: Scene): Promise<Tried> => {
  const [pipeline] = system.cluster.of('file-pipeline')
  const [pid, ends] = [pipeline?.pid(), system.ended.length]
  const killed = new Set<number>()
  const done = new AbortController()
  const kill = async () => {
    while (!done.signal.aborted) {
      // Identifies the reader by file type, which only this file has.
      for (const { pid: reader } of processesOf(`allow-fs-write=${system.scratch}`).filter(({ command }) =>
        command.includes('"type":"pdf"'),
      )) {
        if (killed.has(reader)) continue
        killed.add(reader)
        process.kill(reader, 'SIGSEGV')
      }
      await pause(lookEveryMs)
    }
  }
  const killing = kill()
  const content = (number: number) => ({ is: 'sound', seed: seed + number, sentences: 300, scans: 'none' }) as const
  await place.client.send(poison, (await bring('pdf', content(0))).bytes)
  const names = Array.from({ length: neighbours }, (_, number) => `beside-${number}.${number % 2 === 0 ? 'md' : 'csv'}`)
  for (const [number, name] of names.entries())
    await place.client.put(name, (await bring(name.endsWith('md') ? 'md' : 'csv', content(number + 1))).bytes)
  const unread = await untilRead(
    stores,
    [poison, ...names].map((name) => ({ place, name })),
    readWithinMs,
  )
  done.abort()
  await killing
  const { state, reason, attempts } = await place.client.status(poison)
  say(`the parser died ${killed.size} times; the file is ${state}: ${reason}`)
  const ofNeighbours = await Promise.all(names.map(async (name) => ({ name, ...(await place.client.status(name)) })))
  return {
    figures: {
      deaths: killed.size,
      tries: attempts,
      reason: reason ?? 'none',
      'neighbours completed': ofNeighbours.filter((one) => one.state === 'completed').length,
    },
    broken: [
      ...unread,
      ...(state === 'failed' && reason === 'parser_crashed'
        ? []
        : [`F13: a file whose parser dies is ${state} (${reason})`]),
      ...(attempts > maxAttempts || killed.size > maxAttempts
        ? [`F13: it was tried ${attempts} times, and ${killed.size} processes died of it`]
        : []),
      ...(killed.size === 0 ? ['F13: no process that reads it was found'] : []),
      ...ofNeighbours.flatMap((one) =>
        one.state === 'completed' ? [] : [`F13: ${one.name} beside it is ${one.state} (${one.reason})`],
      ),
      ...(pipeline?.pid() === pid && system.ended.length === ends ? [] : ['F13: the service ended because of a file']),
    ],
  }
}
