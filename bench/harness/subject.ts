import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onCore } from './cores.ts'
import type { Context } from './row.ts'

type Question = { readonly id: number; readonly name: string; readonly with?: unknown }
type Reply = { readonly id: number; readonly value?: unknown; readonly failure?: string }

/** A measured process. */
export type Subject = {
  readonly pid: number
  /** Runs one of the subject's commands, with a timeout. */
  ask<T>(name: string, value?: unknown): Promise<T>
  close(): Promise<void>
}

const answerWithinMs = 300_000
const endWithinMs = 20_000

/**
 * Starts the program of this name in bench/subjects on the core for the measured process. The program's first argument
 * is `options`, as JSON.
 */
export const startSubject = async (
  name: string,
  { subjectCore, nodeFlags }: Pick<Context, 'subjectCore' | 'nodeFlags'>,
  options: object,
): Promise<Subject> => {
  const script = join(import.meta.dirname, '../subjects', `${name}.ts`)
  const [command, args] = onCore(subjectCore, process.execPath, [...nodeFlags, script, JSON.stringify(options)])
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  child.on('message', ({ id, value, failure }: Reply) => {
    const request = waiting.get(id)
    waiting.delete(id)
    if (failure === undefined) request?.resolve(value)
    else request?.reject(new Error(`${name}: ${failure}`))
  })
  const failAll = (reason: string) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ${reason}`))
    waiting.clear()
  }
  child.once('error', (error) => failAll(error.message))
  child.once('exit', (code, signal) => failAll(`ended with ${code ?? signal}`))
  const request = <T>(question: string, value?: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!child.connected) return reject(new Error(`${name} has ended`))
      lastId += 1
      const id = lastId
      const timer = setTimeout(() => reject(new Error(`${name} has not answered ${question}`)), answerWithinMs)
      const settled = <A>(settle: (argument: A) => void) => {
        return (argument: A) => {
          clearTimeout(timer)
          settle(argument)
        }
      }
      waiting.set(id, { resolve: settled(resolve as (value: unknown) => void), reject: settled(reject) })
      child.send({ id, name: question, with: value } satisfies Question)
    })
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const timer = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
    const exited = once(child, 'exit')
    await request('close').catch(() => child.kill('SIGKILL'))
    await exited
    clearTimeout(timer)
  }
  try {
    await request('ready')
    return { pid: child.pid as number, ask: request, close }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

const cpuMicroseconds = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

type Work = () => Promise<{ readonly done: number; readonly seconds: number }>

/**
 * Measures the work done per second, and the processor time of all threads of the subject per unit of work, in
 * microseconds. Other work on the machine hardly affects the processor time.
 */
export const rateOf = async (
  subject: Subject,
  work: Work,
): Promise<{ readonly rate: number; readonly cpu: number }> => {
  const before = await subject.ask<number>('cpu')
  const { done, seconds } = await work()
  return { rate: done / seconds, cpu: ((await subject.ask<number>('cpu')) - before) / done }
}

/** Answers `Subject.ask` requests in the measured process until `close`, which ends the process. */
export const answerQuestions = (
  commands: { readonly [name: string]: (value: never) => unknown },
  close: () => Promise<unknown>,
): void => {
  const run = async ({ name, with: value }: Question): Promise<unknown> => {
    if (name === 'ready') return undefined
    if (name === 'cpu') return cpuMicroseconds()
    if (name === 'close') return close()
    const command = commands[name]
    if (!command) throw new Error(`no command ${name}`)
    return command(value as never)
  }
  process.on('message', (question: Question) => {
    const { id } = question
    const send = (reply: Reply, after = () => {}) => void process.send?.(reply, undefined, undefined, after)
    run(question).then(
      (value) => send({ id, value }, question.name === 'close' ? () => process.exit(0) : undefined),
      (error: unknown) =>
        send({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(1))
}

export const optionsOf = <T>(): T => JSON.parse(process.argv[2] ?? '{}') as T
