// Runs a command of this repository under Node 24 with its dependencies installed, whatever Node the system has.
//
//   node scripts/with-node.mjs [--omit-dev] <command> [arguments]
//
// `command` is `node` or the name of an installed tool. With --omit-dev, packages that only tests and checks need are not
// installed for it. This file is plain JavaScript without dependencies because it
// has to run before either exists, on Node 18 and later.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withInstallLock } from './lib/install-lock.mjs'
import { isInstalled, neededFolders } from './lib/installed.mjs'

const major = 24
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const onWindows = process.platform === 'win32'

const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)

const print = (line) => process.stderr.write(`${line}\n`)

/** Exits with a one-sentence message instead of a stack trace, for a reader who has just cloned the repository. */
const fail = (line) => {
  print(`cairn: ${line}`)
  process.exit(1)
}

/** Returns the folder that stores the path of the downloaded Node. An unwritable home is not an error. */
const cacheFolder = () => {
  const home = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache')
  for (const base of [home, tmpdir()]) {
    try {
      const folder = path.join(base, 'cairn')
      mkdirSync(folder, { recursive: true })
      return folder
    } catch {}
  }
  return tmpdir()
}

/**
 * Returns the environment for npm. npm sets variables of its project for its scripts, which a second npm in another
 * folder must not inherit. The user's registry, proxy and certificates are kept.
 */
const environmentForNpm = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_(package_|lifecycle_|command$|config_(local_prefix|workspaces?|ignore_scripts|omit|include)$)/i.test(
          name,
        ),
    ),
  )

/** Returns the npm entry that runs this script, if any, so that the npm that the user called also installs. */
const npmCommand = (node) => {
  const entry = process.env.npm_execpath
  if (entry && /npm-cli\.[cm]?js$/.test(entry) && existsSync(entry)) return [node, [entry]]
  return [onWindows ? 'npm.cmd' : 'npm', []]
}

const fetchNode = (folder) => {
  print(`cairn: this needs Node ${major} and found ${process.version}; fetching Node ${major} once`)
  const [command, prefix] = npmCommand(process.execPath)
  // The package's install script puts the binary in place, so the project's `ignore-scripts` must not apply to this
  // call.
  const args = ['exec', '--yes', '--ignore-scripts=false', '--package', `node@${major}`, '--']
  const found = spawnSync(command, [...prefix, ...args, 'node', '-p', 'process.execPath'], {
    cwd: folder,
    env: environmentForNpm(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: onWindows,
  })
  const node = found.stdout?.trim().split('\n').at(-1) ?? ''
  if (found.status !== 0 || !existsSync(node)) {
    print((found.stderr ?? String(found.error ?? '')).trim())
    fail(`Node ${major} could not be fetched from the package registry; install it (https://nodejs.org) and try again`)
  }
  return node
}

const findNode = () => {
  if (majorOf(process.version) >= major) return process.execPath
  const folder = cacheFolder()
  const remembered = path.join(folder, `node-${major}-${process.platform}-${process.arch}`)
  if (existsSync(remembered)) {
    const node = readFileSync(remembered, 'utf8').trim()
    const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''
    if (majorOf(version) >= major) return node
  }
  const node = realpathSync(fetchNode(folder))
  try {
    writeFileSync(remembered, `${node}\n`)
  } catch {}
  return node
}

/** Runs a command; resolves to the exit of the process: `{ code }` or `{ signal }`. Forwards signals to the child. */
const run = (command, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    // A terminal sends Ctrl-C to the child, too, and a second SIGINT would interrupt its orderly stop.
    const onTerminal = process.stdin.isTTY === true
    const forward = (signal) => {
      if (signal !== 'SIGINT' || !onTerminal) child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    // A killed npm forwards no signal, so watch for a change of the parent. Only below npm, because a process detached
    // on purpose also loses its parent.
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.env.npm_lifecycle_event && process.ppid !== parent) child.kill('SIGTERM')
    }, 500)
    const done = () => {
      clearInterval(watch)
      for (const signal of signals) process.off(signal, forward)
    }
    child.once('error', (error) => {
      done()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      done()
      resolve({ code, signal })
    })
  })

const endAs = ({ code, signal }) => {
  if (signal) process.kill(process.pid, signal)
  else process.exitCode = code ?? 1
}

/**
 * Prints how many packages are there while npm installs, which itself prints nothing until its end. Returns a function
 * that stops it.
 */
const printProgress = (folders) => {
  const onTerminal = process.stderr.isTTY === true
  let missing = folders
  let printed = ''
  const timer = setInterval(() => {
    missing = missing.filter((folder) => !existsSync(path.join(folder, 'package.json')))
    const done = folders.length - missing.length
    // A log gets a line for each quarter, not one a second.
    const count = onTerminal ? done : Math.floor((done * 4) / folders.length) * Math.floor(folders.length / 4)
    const line = `cairn: ${count} of ${folders.length} packages installed`
    if (line !== printed && count > 0) process.stderr.write(onTerminal ? `\r${line}` : `${line}\n`)
    printed = line
  }, 500)
  return () => {
    clearInterval(timer)
    if (onTerminal && printed !== '') process.stderr.write('\n')
  }
}

const install = async (node, env, { omitDev }) => {
  const folders = neededFolders(root, { omitDev })
  print(
    `cairn: installing ${folders.length} packages, once${omitDev ? '; tests and checks install theirs when they run' : ''}`,
  )
  const [command, prefix] = npmCommand(node)
  // `npm ci` empties node_modules, from which a server may be running. Packages for development are added beside it.
  const args = isInstalled(root, { omitDev: true }) ? ['install', '--no-save'] : ['ci']
  // NODE_ENV=production must not decide what is installed.
  const kinds = omitDev ? '--omit=dev' : '--include=dev'
  const stopProgress = printProgress(folders)
  const ended = await run(command, [...prefix, ...args, kinds, '--no-fund', '--no-audit', '--no-progress'], {
    cwd: root,
    env,
    // Standard output is reserved for the command, because a script may read it.
    stdio: ['inherit', 2, 2],
    shell: onWindows && prefix.length === 0,
  })
  stopProgress()
  if (ended.code !== 0) {
    if (ended.signal) return ended
    fail(`npm ${args[0]} failed; see its message above`)
  }
}

const main = async (given) => {
  const omitDev = given[0] === '--omit-dev'
  const [command, ...args] = omitDev ? given.slice(1) : given
  if (!command) fail('usage: node scripts/with-node.mjs [--omit-dev] <command> [arguments]')
  const node = findNode()
  const separator = path.delimiter
  const env = {
    // Without the cache, every thread that runs TypeScript strips the types again, which costs 15 MB and startup time
    // per thread.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'node-compile'),
    ...process.env,
    PATH: [path.dirname(node), path.join(root, 'node_modules', '.bin'), process.env.PATH].join(separator),
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
  }
  if (!isInstalled(root, { omitDev })) {
    const stopped = await withInstallLock(path.join(root, '.install.lock'), async () => {
      // The previous holder of the lock may have installed everything.
      if (!isInstalled(root, { omitDev })) return install(node, { ...environmentForNpm(), PATH: env.PATH }, { omitDev })
    })
    if (stopped) return endAs(stopped)
  }
  endAs(await run(command === 'node' ? node : command, args, { env, shell: onWindows && command !== 'node' }))
}

await main(process.argv.slice(2)).catch((error) => fail(error.message))
