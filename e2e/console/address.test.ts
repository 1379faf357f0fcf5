import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../browser.ts'
import { createNamespace, index } from '../story.ts'
import { useConsole } from './scene.ts'

const chapters = Array.from(
  { length: 60 },
  (_, at) =>
    `# Chapter ${at}\n\nThe hut number ${at} stands by the lake. ${'Rain falls on the roof of the hut. '.repeat(25)}`,
)
chapters[40] += 'A heron waits in the reeds.'

describeInBrowser('what the address of the console keeps', (browser) => {
  const { api, heading, open, checkPage, closeDialog, signIn, dropFaults, expectNoFaults, ...scene } =
    useConsole(browser)
  let page: Page
  const hits = () => page.getByRole('region', { name: 'Hits' })

  beforeAll(async () => {
    page = scene.page()
    await createNamespace(api(), { type: 'text' }, 'birds')
    await createNamespace(api(), { type: 'text' }, 'stones')
    await index(api(), 'birds', [
      { id: 'heron', text: 'A heron stands still in shallow water.', year: 2_021 },
      { id: 'wren', text: 'A wren is small and loud.', year: 2_019 },
    ])
    const file = new File([chapters.join('\n\n')], 'walks.md')
    await api().sdk.files.upload('stones', file)
    await api().sdk.waitFor.file('stones', 'walks.md')
    await signIn()
  })

  it('keeps a search: reload and Back bring it back, Back without another request', async () => {
    let requests = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/search')) requests += 1
    })
    await open('search?ns=birds', 'Search and ask')
    await page.getByRole('checkbox', { name: 'stones' }).check()
    await page.getByLabel('Query or question').fill('heron & reeds?')
    await page.getByText('Mode, number of hits and filter').click()
    await page.getByLabel('Mode').selectOption('lexical')
    await page.getByLabel('Hits', { exact: true }).fill('3')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByLabel('Key 1').fill('year')
    await page.getByLabel('Comparison 1').selectOption('gte')
    await page.getByLabel('Value 1').fill('2020')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('1 hit', { exact: true }).waitFor()
    const sent = page.waitForRequest((request) => request.url().endsWith('/v1/search'))
    await page.reload()
    const filter = { key: 'year', gte: 2020 }
    expect((await sent).postDataJSON()).toMatchObject({
      query: 'heron & reeds?',
      namespaces: ['birds', 'stones'],
      mode: 'lexical',
      top_k: 3,
      filter,
    })
    await hits().getByRole('link', { name: 'heron' }).waitFor()
    expect(await page.getByLabel('Query or question').inputValue()).toBe('heron & reeds?')
    expect(await page.getByRole('checkbox', { name: 'stones' }).isChecked()).toBe(true)
    await page.getByLabel('Query or question').fill('wren')
    await page.keyboard.press('Enter')
    await page.getByText('0 hits', { exact: true }).waitFor()
    const before = requests
    await page.goBack()
    await hits().getByRole('link', { name: 'heron' }).waitFor()
    expect(await page.getByLabel('Query or question').inputValue()).toBe('heron & reeds?')
    expect(requests).toBe(before)
    expectNoFaults()
  })

  it('keeps a question', async () => {
    await open('search?q=What stands in shallow water?&ns=birds&ask=1', 'Search and ask')
    const sources = page.getByRole('region', { name: 'Answer' }).getByRole('listitem')
    await sources.getByRole('link', { name: 'heron' }).waitFor()
    expectNoFaults()
  })

  it('opens a hit at its chunk, with the sentence marked, and goes on to its neighbors and its file', async () => {
    await open('search?q=heron in the reeds&ns=stones', 'Search and ask')
    await hits()
      .getByRole('link', { name: /^walks\.md, "Chapter \d+"/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Chunk \d+ of \d+$/).waitFor()
    await dialog.locator('mark').first().waitFor()
    expect((await dialog.locator('mark').allTextContents()).join('')).toContain('heron waits in the reeds.')
    expect(await dialog.locator('mark').first().isVisible()).toBe(true)
    await checkPage('hit')
    await page.reload()
    await dialog.locator('mark').first().waitFor()
    expect((await dialog.locator('mark').allTextContents()).join('')).toContain('heron waits in the reeds.')
    const title = await dialog.getByRole('heading', { level: 2 }).textContent()
    await dialog.getByRole('link', { name: 'Next chunk' }).click()
    await expect.poll(() => dialog.getByRole('heading', { level: 2 }).textContent()).not.toBe(title)
    await closeDialog()
    await hits().getByRole('link').first().waitFor()
    await hits().getByRole('link').first().click()
    await dialog.getByRole('link', { name: 'All chunks of the file' }).click()
    await heading('stones').waitFor()
    await page.getByRole('dialog', { name: 'walks.md' }).getByRole('link', { name: 'walks.md_chunk_0' }).waitFor()
    await closeDialog()
    expectNoFaults()
  })

  it('keeps the filter of documents behind a document, and the page of chunks', async () => {
    await open('namespaces/birds?f=gte:year:2020', 'birds')
    await page.getByText('1 match the filter').waitFor()
    await page.getByRole('link', { name: /^heron/ }).click()
    await page.getByRole('dialog', { name: 'heron' }).waitFor()
    await page.reload()
    await page.getByRole('dialog', { name: 'heron' }).getByText('shallow water').waitFor()
    await closeDialog()
    await page.getByText('1 match the filter').waitFor()
    await page.goBack()
    await page.getByRole('dialog', { name: 'heron' }).waitFor()
    await closeDialog()
    await open('namespaces/stones/files/walks.md?chunks=2', 'stones')
    await page.getByRole('dialog').getByRole('link', { name: 'walks.md_chunk_50' }).waitFor()
    await closeDialog()
    expectNoFaults()
  })

  it('keeps the name to find and the page of files', async () => {
    const files = Array.from(
      { length: 30 },
      (_, at) => new File([`File ${at}.`], `${at % 2 ? 'odd' : 'even'}-${at}.txt`),
    )
    for (const file of files) await api().sdk.files.upload('birds', file)
    await open('namespaces/birds/files', 'birds')
    const list = page.getByRole('list', { name: 'Files' })
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => list.getByRole('link').count()).toBe(5)
    await page.reload()
    await expect.poll(() => list.getByRole('link').count()).toBe(5)
    await page.getByLabel('Find a file by name').fill('odd-2')
    await expect.poll(() => list.getByRole('link').count()).toBe(5)
    await page.reload()
    expect(await page.getByLabel('Find a file by name').inputValue()).toBe('odd-2')
    await list.getByRole('link', { name: 'odd-29.txt' }).click()
    await closeDialog()
    expect(await page.getByLabel('Find a file by name').inputValue()).toBe('odd-2')
    expectNoFaults()
  })

  it('says that there is no such page, nor such a part of a namespace', async () => {
    for (const address of ['nonsense', 'namespaces/birds/nonsense']) {
      await page.goto(`${scene.url()}/#/${address}`)
      await page.reload()
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
      await checkPage()
    }
    await page.getByRole('link', { name: 'See all namespaces.' }).click()
    await heading('Namespaces').waitFor()
    expectNoFaults()
  })

  it('has shortcuts for search and for places, and lists them', async () => {
    await open('health', 'Health')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Ctrl K').waitFor()
    await checkPage()
    await closeDialog()
    await page.keyboard.press('/')
    await heading('Search and ask').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('search')
    await page.evaluate('document.activeElement?.blur()')
    await page.keyboard.press('/')
    await page.keyboard.type('wren')
    expect(await page.getByLabel('Query or question').inputValue()).toBe('wren')
    await page.keyboard.press('Enter')
    await hits().waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Go to' })
    await palette.getByRole('option', { name: /^wren/ }).waitFor()
    await checkPage()
    await page.keyboard.type('wren')
    expect(await palette.getByRole('option', { name: /^wren/ }).allTextContents()).toEqual(['wrenRecent search'])
    // One press closes it, also with a text in the field.
    await closeDialog()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('ston')
    await page.keyboard.press('Enter')
    await heading('stones').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('wren')
    await palette.getByRole('option', { name: 'wren Recent search' }).click()
    await heading('Search and ask').waitFor()
    await hits().waitFor()
    expectNoFaults()
  })

  it('deletes and retries what was selected', async () => {
    await open('namespaces/birds/files?find=odd', 'birds')
    await page.getByLabel('Select odd-1.txt', { exact: true }).check()
    const bar = page.getByRole('region', { name: 'Selected files' })
    await bar.getByText('1 file selected').waitFor()
    await bar.getByRole('button', { name: 'Select all 15 shown' }).click()
    await bar.getByRole('button', { name: 'Retry failed' }).click()
    await bar.getByText('0 files queued for retry. A retry would not help the other 15.').waitFor()
    await checkPage()
    await bar.getByRole('button', { name: 'Delete 15' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 15 files?' })
    await dialog.getByText('and 10 more').waitFor()
    await dialog.getByRole('button', { name: 'Delete 15 files' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByText(/^odd-/).count()).toBe(0)
    await open('namespaces/birds?f=exists:year:', 'birds')
    await page.getByLabel('Select wren', { exact: true }).check()
    await page.getByRole('button', { name: 'Retry failed' }).click()
    await page.getByText('0 documents queued for retry.').waitFor()
    await page.getByRole('button', { name: 'Delete 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 item' }).click()
    await page.getByText('1 match the filter').waitFor()
    dropFaults()
  })
})
