import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startChatServer } from '@cairn/testing/chat-server'
import { eventually } from '@cairn/testing/eventually'
import { afterAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { installPackage } from '../../packages/client/src/install-package.fixture.ts'
import { examplesOf, requestOfCurl, requestOfHttp } from '../../scripts/lib/request-examples.ts'
import { freePorts } from '../chaos/free-ports.ts'
import { hasShown, isShown, planPage, readBlocks, type Step } from './blocks.ts'
import { createCheckout } from './checkout.ts'
import { findPython } from './python.ts'
import { openShell } from './shell.ts'

const root = join(import.meta.dirname, '../..')
/** Pages for users; each block is run or states why not. */
const pages = [
  'README.md',
  ...['quick-start', 'concepts', 'api', 'sdk', 'cli', 'mcp', 'console', 'api-notes'].map((name) => `docs/${name}.md`),
  ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`),
]
/** Pages that show what a search by meaning finds. All others use keyword search, which starts at once. */
const pagesWithModel = ['README.md', 'docs/quick-start.md']
/** Pages whose requests the site also shows in other languages; each is run in each of them. */
const translated = ['quick-start', 'guides/filters', 'guides/hybrid-search', 'guides/answers'].map(
  (name) => `docs/${name}.md`,
)
const pageWithinMs = 200_000
/**
 * Files of docs/ that the pages' commands use. Fewer files save time, because each file is read in a separate process.
 */
const usedDocs = /^(?:guides\/.*|files-report\.md|openapi\.json)$/
/** Time until the shown response; an upload is searchable only a moment after its request. */
const responseWithinMs = 5_000
const requiresPython = process.env['REQUIRE_DOCS_PYTHON'] === '1'

/**
 * Makes `curl` fail if the request fails, and starts each of the two servers on a separate port, because both read
 * `PORT`.
 */
const preamble = `
curl() { command curl --silent --show-error --fail-with-body --max-time 30 "$@"; }
npm() {
  case "$*" in
    start) PORT=$PAGE_PORT command npm start ;;
    'run edge') PORT=$PAGE_EDGE_PORT command npm run edge ;;
    *) command npm "$@" ;;
  esac
}`

const needsPython = (step: Step): boolean => step.kind === 'run' && step.needsPython

const pythonIsMissing = 'no Python packages of the pages: `node e2e/pages/main.ts` installs them'

/** A project of somebody who has installed the client, as `npm init -y` makes it; TypeScript blocks run in it. */
const clientFolder = mkdtempSync(join(tmpdir(), 'cairn-client-'))
let clientProject: Promise<string> | undefined
const inClientProject = (): Promise<string> => {
  const create = async () => {
    const project = join(clientFolder, 'project')
    mkdirSync(project)
    await promisify(execFile)('npm', ['init', '-y'], { cwd: project })
    await installPackage(clientFolder, project)
    return project
  }
  clientProject ??= create()
  return clientProject
}

/** Returns the step that runs the request of a step in another language; the step itself if it has no such request. */
const translate = (step: Step, label: string): Step => {
  const request =
    step.kind === 'request'
      ? requestOfHttp(`${step.method} ${step.path}\n\n${step.body}`)
      : step.kind === 'run' && step.language === 'sh'
        ? requestOfCurl(step.code)
        : undefined
  const example = request && examplesOf(request).find((each) => each.label === label)
  if (!example) return step
  const { language, code } = example
  return { kind: 'run', line: step.line, language, code, needsPython: language === 'python' }
}

const runPage = async ({ annotate, skip }: TestContext, page: string, label = 'curl'): Promise<void> => {
  const shown = planPage(readBlocks(readFileSync(join(root, page), 'utf8')))
  const steps = label === 'curl' ? shown : shown.map((step) => translate(step, label))
  const say = async (reason: string): Promise<void> => void (await annotate(reason, 'not run'))
  const python = findPython(page)
  if (requiresPython && python === undefined) expect(steps.some(needsPython), pythonIsMissing).toBe(false)
  if (label === 'Python' && python === undefined) return skip(pythonIsMissing)
  if (steps.every(({ kind }) => kind === 'not run')) {
    for (const step of steps) if (step.kind === 'not run') await say(step.reason)
    return
  }
  const [port = 0, edgePort = 0] = await freePorts(2)
  const model = await startChatServer(() => ['A cairn marks the path.'])
  onTestFinished(model.close)
  // openapi.json is large, so it is copied only for the page that uses it.
  const checkout = createCheckout((path) => usedDocs.test(path) && (path !== 'openapi.json' || page === 'docs/sdk.md'))
  onTestFinished(checkout.remove)
  const url = `http://localhost:${port}`
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(CAIRN_|OTEL_|npm_|VITEST|NODE_ENV$|PORT$|CI$)/.test(name),
  )
  const path = [
    ...(python === undefined ? [] : [join(python, 'bin')]),
    ...[checkout.bin, dirname(process.execPath), process.env['PATH']],
  ]
  const shell = await openShell({
    cwd: checkout.folder,
    scratch: checkout.scratch,
    preamble,
    env: {
      ...Object.fromEntries(inherited),
      PATH: path.join(':'),
      // Suppresses the lines that npm prints above a script's output.
      npm_config_loglevel: 'silent',
      PAGE_PORT: String(port),
      PAGE_EDGE_PORT: String(edgePort),
      ...(pagesWithModel.includes(page) ? {} : { CAIRN_EMBEDDER: 'lexical' }),
      CAIRN_CONSOLE: 'off',
      // Keeps what the command stores in the checkout.
      XDG_CONFIG_HOME: checkout.scratch,
      XDG_STATE_HOME: checkout.scratch,
      CAIRN_URL: url,
      CAIRN_EDGE_URL: `http://localhost:${edgePort}`,
    },
  })
  onTestFinished(shell.close)
  const here = (text: string) =>
    text
      .replaceAll('localhost:3000', `localhost:${port}`)
      .replaceAll('localhost:8080', `localhost:${edgePort}`)
      .replaceAll('http://localhost:11434/v1', model.baseUrl)

  const send = async ({ method, path, body }: Extract<Step, { kind: 'request' }>): Promise<unknown> => {
    const apiKey = readFileSync(join(checkout.folder, 'data/api-key'), 'utf8').trim()
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
      ...(body === '' ? {} : { body }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  const program = async (step: Extract<Step, { kind: 'run' }>): Promise<string> => {
    if (step.language === 'sh') return here(step.code)
    const [command, ending] = step.language === 'ts' ? ['node', 'mts'] : ['python', 'py']
    const folder = step.code.includes(`'@cairn/client'`) ? await inClientProject() : checkout.folder
    const file = join(folder, `line-${step.line}.${ending}`)
    writeFileSync(file, here(step.code))
    return `${command} '${file}'`
  }

  const take = async (step: Step): Promise<void> => {
    if (step.kind === 'not run') return say(step.reason)
    if (needsPython(step) && python === undefined) return say(pythonIsMissing)
    if (step.kind === 'start') return shell.start(here(step.code), here(step.address))
    if (step.kind === 'run') {
      const output = await shell.run(await program(step))
      if (step.shown !== undefined && !isShown(here(step.shown), output))
        throw new Error(`the page shows another output than\n${output}`)
      return
    }
    const { shown } = step
    const response = await (shown === undefined
      ? send(step)
      : eventually(
          () => send(step),
          (each) => hasShown(shown, each),
          { withinMs: responseWithinMs, everyMs: 200 },
        ))
    expect(response).toBeDefined()
  }

  // Pages that do not start a server assume a running one.
  const startsServer = steps.some((step) => step.kind === 'start' && /\bnpm start\b/.test(step.code))
  if (!startsServer) await shell.start('npm start', `${url}/readyz`)
  for (const step of steps) {
    try {
      await take(step)
    } catch (error) {
      throw new Error(`${page}:${step.line}: ${error instanceof Error ? error.message : error}`, { cause: error })
    }
  }
}

describe('every code block of the pages for users', () => {
  afterAll(() => rmSync(clientFolder, { recursive: true, force: true }))

  it.for(pages)('%s', { timeout: pageWithinMs }, (page, context) => runPage(context, page))

  const inOthers = translated.flatMap((page) =>
    ['TypeScript', 'Python', 'Command'].map((label) => [page, label] as const),
  )
  it.for(inOthers)('%s in %s', { timeout: pageWithinMs }, ([page, label], context) => runPage(context, page, label))
})
