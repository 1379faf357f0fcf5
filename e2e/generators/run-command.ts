import { spawn } from 'node:child_process'

type CommandOptions = {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly withinMs?: number
}

/** Number of characters at the end of an output that an error message repeats. */
const shownLength = 6_000

/** Resolves to the output of a command. Rejects with the end of the output if the command fails or takes too long. */
export const runCommand = (
  command: string,
  args: readonly string[],
  { cwd, env = {}, withinMs = 180_000 }: CommandOptions,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const timer = setTimeout(() => child.kill('SIGKILL'), withinMs)
    const end = (fault: string | undefined) => {
      clearTimeout(timer)
      if (fault === undefined) resolve(output)
      else reject(new Error(`${[command, ...args].join(' ')}: ${fault}\n${output.slice(-shownLength)}`))
    }
    child.once('error', (error) => end(error.message))
    child.once('close', (code, signal) => end(code === 0 ? undefined : `ended with ${code ?? signal}`))
  })

/** Whether a command is installed. */
export const hasCommand = async (command: string, ...args: readonly string[]): Promise<boolean> => {
  try {
    await runCommand(command, args, { cwd: '.', withinMs: 20_000 })
    return true
  } catch {
    return false
  }
}
