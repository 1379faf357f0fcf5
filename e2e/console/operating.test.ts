import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { consoleFiles } from '@cairn/gateway/console/console-files'
import { consolePage } from '@cairn/gateway/console/console-page'
import type { ApiRequest } from '@cairn/runtime/http/api-request'
import { startLocalServer } from '@cairn/testing/local-server'
import { createMaterial } from '@cairn/testing/material/create-material'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../browser.ts'
import { createNamespace, index, search } from '../story.ts'
import { seriousFindings } from './axe.ts'
import { useConsole } from './scene.ts'

const model = 'text-embedding-3-small'
const dimension = 26
const letters = (text: string) =>
  Array.from(
    { length: dimension },
    (_, letter) => text.toLowerCase().split(String.fromCharCode(97 + letter)).length - 0.5,
  )
/** Embedding server whose vectors count the letters of a text. */
const server = await startLocalServer(async (message, response) => {
  const { input } = (await json(message)) as { readonly input: readonly string[] }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data: input.map((text) => ({ embedding: letters(text) })) }))
})
afterAll(server.close)

const env = {
  CAIRN_EMBEDDER: 'openai',
  CAIRN_OPENAI_URL: `${server.url}/v1`,
  CAIRN_OPENAI_MODEL: model,
  CAIRN_OPENAI_DIMENSION: String(dimension),
}
const storageKey = 'cairn.api-key'

/** Writes a program to a file, runs it, and returns its output. */
const runProgram = async (command: string, name: string, text: string): Promise<string> => {
  const file = join(mkdtempSync(join(tmpdir(), 'cairn-start-')), name)
  writeFileSync(file, text)
  return (await promisify(execFile)(command, [file], { timeout: 30_000 })).stdout
}
const commands = { curl: ['sh', 'start.sh'], TypeScript: [process.execPath, 'start.ts'], Python: ['python3', 's.py'] }

describeInBrowser('operating Cairn in the console', (browser) => {
  const { story, url, api, heading, open, checkPage, closeDialog, signIn, dropFaults, expectNoFaults, ...scene } =
    useConsole(browser, { env })
  let page: Page
  beforeAll(async () => {
    page = scene.page()
    await signIn()
  })

  it('is at most 200 kB in gzip', async () => {
    const files = [...((await consoleFiles()()) ?? [])]
    expect(files.length).toBeGreaterThan(2)
    expect(files.reduce((sum, [, { gzipped }]) => sum + gzipped.length, 0)).toBeLessThan(200_000)
  })

  it.each(['curl', 'TypeScript', 'Python'] as const)(
    'starts with a program in %s, whose key is masked until it is shown or copied',
    async (language) => {
      const [command = '', file = ''] = commands[language]
      const { apiKey } = await story.member()
      await page.evaluate(`sessionStorage.setItem('${storageKey}', '${apiKey}')`)
      await open('namespaces', 'Namespaces')
      const start = page.getByRole('region', { name: 'Quick start' })
      await start.getByRole('button', { name: language, exact: true }).click()
      expect(await page.content()).not.toContain(apiKey)
      if (language === 'curl') await checkPage()
      await start.getByRole('button', { name: 'Show key' }).click()
      const program = (await start.getByLabel('First requests').textContent()) ?? ''
      expect(program).toContain(apiKey)
      expect(await runProgram(command, file, program)).toMatch(/A cairn is a pile|Lighthouses guide/)
      await page.evaluate(`sessionStorage.setItem('${storageKey}', '${story.target.apiKey}')`)
      expectNoFaults()
    },
  )

  it('keeps the key on this device only when that is chosen, and signs out of every tab', async () => {
    const context = await browser().newContext({ reducedMotion: 'reduce' })
    const [one, two] = [await context.newPage(), await context.newPage()]
    await one.goto(url())
    await one.getByLabel('API key', { exact: true }).fill(story.target.apiKey)
    expect(await seriousFindings(one)).toEqual([])
    await one.getByRole('radio', { name: /In this tab only/ }).waitFor()
    expect(await one.getByRole('radio', { name: /In this tab only/ }).isChecked()).toBe(true)
    await one.getByRole('button', { name: 'Open the console' }).click()
    await heading('Namespaces', one).waitFor()
    await two.goto(url())
    await two.getByLabel('API key', { exact: true }).waitFor()
    await one.getByRole('button', { name: 'Your API key' }).click()
    await one.getByRole('radio', { name: /On this device/ }).check()
    expect(await seriousFindings(one)).toEqual([])
    await one.getByRole('button', { name: 'Save' }).click()
    await two.reload()
    await heading('Namespaces', two).waitFor()
    await one.getByRole('button', { name: 'Sign out' }).click()
    await two.getByLabel('API key', { exact: true }).waitFor()
    expect(await one.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
    await context.close()
  })

  it('says what the server does while it is not ready', async () => {
    const dependencies = { metadata: { ok: true }, embedder: { ok: false, detail: 'it is loading', progress: 0.4 } }
    await page.route('**/readyz', (route) =>
      route.fulfill({ status: 503, json: { status: 'not_ready', dependencies } }),
    )
    await open('namespaces', 'Namespaces')
    await page.getByRole('region', { name: 'State of the server' }).getByText('embedder 40 %: it is loading').waitFor()
    await checkPage()
    const { body, headers = {} } = await consolePage(async () => undefined).handle({
      header: () => 'text/html',
      setHeader: () => undefined,
    } as unknown as ApiRequest<unknown>)
    await page.route(`${url()}/`, (route) => route.fulfill({ body: String(body), headers }), { times: 2 })
    await page.goto(`${url()}/`)
    await page.getByText('The model is loading, 40 %.').waitFor()
    // Then the real page is served.
    await heading('Namespaces').waitFor()
    await page.unroute('**/readyz')
    await page.getByRole('region', { name: 'State of the server' }).waitFor({ state: 'detached' })
    dropFaults()
  })

  it('chooses model and language from lists that say what each means', async () => {
    await open('namespaces', 'Namespaces')
    await page.getByRole('button', { name: 'New namespace' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('guides')
    await expect.poll(() => dialog.getByLabel('Model').inputValue()).toBe(model)
    await dialog.getByText('Runs on the embedding server. 26 dimensions.').waitFor()
    await dialog.getByLabel('Model').selectOption('lexical')
    await dialog.getByText('Finds words, not meaning.').waitFor()
    await dialog.getByLabel('Language').selectOption('German')
    await checkPage()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await heading('guides').waitFor()
    expect(await api().sdk.namespaces.get('guides')).toMatchObject({ model: 'lexical', language: 'de' })
    expectNoFaults()
  })

  it('changes the model with a comparison, switches, and removes the former model', { timeout: 180_000 }, async () => {
    const texts = Array.from({ length: 30 }, (_, at) => ({ id: `d${at}`, text: `Marker ${at} stands on the path.` }))
    await index(api(), 'guides', texts)
    await open('namespaces/guides/model', 'guides')
    await page.getByLabel('Change to').waitFor()
    await page.getByRole('button', { name: 'Estimate' }).click()
    await page
      .getByText(/^30 documents and 0 chunks have 30 passages to embed\. At the current speed this takes /)
      .waitFor()
    await checkPage()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('ready to switch').waitFor({ timeout: 60_000 })
    for (const word of ['marker', 'path', 'stands']) await search(api(), ['guides'], word)
    await page.getByRole('row', { name: /^Best ten hits that both find \d+ %/ }).waitFor({ timeout: 60_000 })
    await checkPage('model')
    await page.getByRole('button', { name: `Switch to ${model}` }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Switch to ${model}` })
      .click()
    await page.getByText('switching', { exact: true }).waitFor()
    // The count of the switch is 0 at first, which says nothing.
    expect(await page.getByText(/^0 of \d+ items/).count()).toBe(0)
    await page.getByText('switched', { exact: true }).waitFor({ timeout: 120_000 })
    await page.getByRole('button', { name: 'Switch back to lexical' }).waitFor()
    expect((await api().sdk.namespaces.get('guides'))?.model).toBe(model)
    await page.getByRole('button', { name: 'Remove lexical' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove lexical' }).click()
    await page.getByText(/is being removed/).waitFor()
    // A namespace without a reindex answers 404, which the browser reports.
    dropFaults()
  })

  it('offers to replace a file that no retry can mend, with the remedy', async () => {
    await open('namespaces/guides/files', 'guides')
    const broken = { name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 and nothing more') }
    await page.getByLabel('Files to upload').setInputFiles(broken)
    const row = page.getByRole('listitem').filter({ hasText: 'scan.pdf' })
    await row.getByText('failed', { exact: true }).waitFor({ timeout: 60_000 })
    const { remedy } = await api().sdk.files.status('guides', 'scan.pdf')
    expect(await row.textContent()).toContain(remedy)
    expect(await row.getByRole('button', { name: 'Retry scan.pdf' }).count()).toBe(0)
    await row.getByRole('button', { name: 'Replace file' }).waitFor()
    await checkPage()
    const { bytes } = await createMaterial('pdf', 1, { sentences: 10 })
    const buffer = Buffer.from(bytes)
    await row
      .getByLabel('Replacement of scan.pdf')
      .setInputFiles({ name: 'other name.pdf', mimeType: 'application/pdf', buffer })
    await row.getByText(/^\d+ chunks?$/).waitFor({ timeout: 60_000 })
    expect((await api().sdk.files.list('guides')).files.map((file) => file.file_name)).toEqual(['scan.pdf'])
    expectNoFaults()
  })

  it('offers a retry with the encoding, where that is what the remedy says', async () => {
    await api().sdk.files.upload('guides', new File(['A note about cairns.'], 'note.txt'))
    await api().sdk.waitFor.file('guides', 'note.txt')
    await page.route('**/files/note.txt/status', async (route) => {
      const status = await (await route.fetch()).json()
      const failure = { reason: 'unknown_encoding', message: 'Unknown encoding.', remedy: 'Save it.', retryable: false }
      await route.fulfill({ json: { ...status, state: 'failed', ...failure } })
    })
    await open('namespaces/guides/files', 'guides')
    const row = page.getByRole('listitem').filter({ hasText: 'note.txt' })
    await row.getByRole('button', { name: 'Retry with its encoding note.txt' }).click()
    await page.getByRole('dialog').getByLabel('Encoding').selectOption('windows-1252')
    await checkPage()
    const sent = page.waitForRequest((request) => request.url().endsWith('/note.txt/retry'))
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
    expect((await sent).postDataJSON()).toEqual({ encoding: 'windows-1252' })
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.unroute('**/files/note.txt/status')
    await open('namespaces/guides/files', 'guides')
    await row.getByText('1 chunk').waitFor()
    expect((await api().sdk.files.status('guides', 'note.txt')).options).toEqual({ encoding: 'windows-1252' })
    expectNoFaults()
  })

  it('takes files that are dropped anywhere in a namespace', async () => {
    await open('namespaces/guides', 'guides')
    const drop = await page.evaluateHandle(`{
      const transfer = new DataTransfer()
      transfer.items.add(new File(['Stones on a ridge show the way down.'], 'dropped.txt'))
      transfer
    }`)
    const area = page.locator('.drop')
    await area.dispatchEvent('dragover', { dataTransfer: drop })
    await page.getByText('Drop files to add them to guides').waitFor()
    await area.dispatchEvent('drop', { dataTransfer: drop })
    await page.getByRole('listitem').filter({ hasText: 'dropped.txt' }).getByText('1 chunk').waitFor()
    expect(page.url()).toMatch(/\/files$/)
    expectNoFaults()
  })

  it('lists vectors, finds one by its id, and shows and deletes it', async () => {
    await createNamespace(api(), { type: 'vector', vector_dimension: 3 }, 'colors')
    await open('namespaces/colors', 'colors')
    await page.getByRole('heading', { name: 'No vectors yet' }).waitFor()
    const vectors = Array.from({ length: 120 }, (_, at) => ({ id: `v${at}`, vector: [1, at / 100, 0.5], shade: at }))
    await api().sdk.vectors.upload('colors', vectors)
    await open('namespaces/colors', 'colors')
    await page.getByText(/^100 of 120 vectors/).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(101)
    await checkPage()
    await page.getByLabel('Find a vector by id').fill('v0')
    await page.getByRole('link', { name: 'v0', exact: true }).click()
    await page.getByRole('dialog', { name: 'v0' }).getByText('shade').waitFor()
    await closeDialog()
    expect(await page.getByLabel('Find a vector by id').inputValue()).toBe('v0')
    await page.getByLabel('Select v0', { exact: true }).check()
    await page.getByRole('button', { name: 'Delete 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 vector' }).click()
    await page.getByRole('heading', { name: 'No vector has this id' }).waitFor()
    expectNoFaults()
  })

  it('lets an operator choose an account and its tier, and look inside with a key that can only read', async () => {
    const { accountId, api: theirs } = await story.member({ tier: 'community' })
    await createNamespace(theirs, undefined, 'theirs')
    await createNamespace(api(), undefined, 'ours')
    await open(`keys?account=${accountId}`, 'Keys and usage')
    await page.getByLabel('Admin key').fill(story.target.adminKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(await page.getByLabel('Account').inputValue()).toBe(accountId)
    await page.getByRole('button', { name: 'Change tier' }).click()
    await page.getByRole('dialog').getByLabel('Tier').selectOption('professional')
    await page.getByText('Limits: 100 namespaces, 100,000 documents, 1,000,000 requests a month.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.getByText('professional', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Look inside' }).click()
    // The usage of the account, which is shown until the key is created, has a row of this namespace, too.
    await heading('Namespaces').waitFor()
    await page.getByRole('row').filter({ hasText: 'theirs' }).waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'ours' }).count()).toBe(0)
    // What the key of the visit can't do is not offered.
    const offers = () => page.getByRole('button', { name: /New|Delete|Paste|Choose files/ }).count()
    expect(await offers()).toBe(0)
    await checkPage()
    await page.getByRole('link', { name: 'theirs' }).click()
    await heading('theirs').waitFor()
    expect(await offers()).toBe(0)
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await page.getByRole('heading', { name: 'No files yet' }).waitFor()
    expect(await offers()).toBe(0)
    const { admin } = story.admin.sdk
    const key = async () => (await admin.keys.list(accountId)).find(({ name }) => name === 'console of the operator')
    expect(await key()).toMatchObject({ scopes: ['read'], state: 'active' })
    // The key of the visit is never stored.
    expect(await page.evaluate('Object.values({ ...sessionStorage, ...localStorage })')).toEqual([story.target.apiKey])
    await page.getByRole('button', { name: 'Leave' }).click()
    await expect.poll(async () => (await key())?.state).toBe('revoked')
    await page.getByRole('link', { name: 'Namespaces' }).click()
    await page.getByRole('row').filter({ hasText: 'ours' }).waitFor()
    expectNoFaults()
  })

  it('keeps what it showed while the server is away, and says of when it is', async () => {
    await open('namespaces', 'Namespaces')
    await page.getByRole('row').filter({ hasText: 'guides' }).waitFor()
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('row').filter({ hasText: 'ingestion' }).waitFor()
    await page.getByText('ready', { exact: true }).waitFor()
    await story.target.end()
    const stale = page.getByText(/^Data of \d\d:\d\d:\d\d, not updated since: Cairn cannot be reached/)
    await expect.poll(() => stale.count(), { timeout: 20_000 }).toBe(2)
    await page.getByRole('row').filter({ hasText: 'ingestion' }).waitFor()
    expect(await page.getByText('ready', { exact: true }).count()).toBe(0)
    await page.getByText('unknown', { exact: true }).waitFor()
    await checkPage('stale')
    await page.getByRole('link', { name: 'Namespaces' }).click()
    await page.getByRole('row').filter({ hasText: 'guides' }).waitFor()
    await expect.poll(() => stale.count(), { timeout: 20_000 }).toBe(1)
    await story.target.restart()
    // The page may notice by itself that the server is back, and then has no button.
    const tryAgain = page.getByRole('button', { name: 'Try again' })
    const retried = async () => {
      if (await tryAgain.isVisible()) await tryAgain.click({ timeout: 1_000 }).catch(() => undefined)
      return stale.count()
    }
    await expect.poll(retried, { timeout: 20_000 }).toBe(0)
    dropFaults()
  })
})
