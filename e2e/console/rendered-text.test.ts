import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../browser.ts'
import { createNamespace, index } from '../story.ts'
import { useConsole } from './scene.ts'

const guide = `# Marking a *path*

Cairns **mark the path** over the pass: [the map](https://example.org/map), \`npm run cairn\`.

- slate
  - quartz
1. Look
2. Walk

| Stone | Weight |
| --- | ---: |
| granite | 12 kg, the base of every **cairn** |
| quartz | 3 kg |

\`\`\`sh
cairn ns create handbook
\`\`\``
const columns = Array.from({ length: 12 }, (_, at) => `column${at}`)
const record = (name: string) => ['id', ...columns].map((column) => `${column}: ${name}`).join('\n')
const sheet = `id | ${columns.join(' | ')}\n${record('Ann who paints signposts')}\n\n${record('Bob')}`
const many = (part: string, length = 48_000) => part.repeat(length / part.length)
const hostile = {
  html: '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script> gorge',
  links: '[run](javascript:window.hacked=1) [data](data:text/html,<script>1</script>) **[bold](JAVASCRIPT:1)** gorge',
  pipes: `gorge ${many('|')}`,
  rows: `gorge\n${many('| a ', 24_000)}|\n${many('| - ', 24_000)}|`,
  brackets: `gorge ${many('[')}`,
  quotes: `${many('> ')} gorge`,
  words: many('gorge ', 36_000) + many('*gorge* ', 10_000),
  stars: `gorge ${many('**a *b ')}`,
}

describeInBrowser('rendered text in the console', (browser) => {
  const { api, heading, open, checkPage, closeDialog, signIn, expectNoFaults, ...scene } = useConsole(browser, {
    env: { CAIRN_EMBEDDER: 'lexical' },
  })
  let page: Page
  beforeAll(async () => {
    page = scene.page()
    await signIn()
    await createNamespace(api(), undefined, 'notes')
    const texts = Object.entries({ guide, sheet, ...hostile }).map(([id, text]) => ({ id, text }))
    await index(api(), 'notes', texts)
  })
  const find = async (words: string, name: string) => {
    await open(`search?ns=notes&q=${encodeURIComponent(words)}`, 'Search and ask')
    const hit = page.getByRole('list').getByRole('listitem').filter({ hasText: name }).first()
    await hit.waitFor()
    return hit
  }

  it('renders tables and Markdown, with what was found marked in them', async () => {
    const hit = await find('granite base', 'guide')
    await hit.getByRole('table').waitFor()
    expect(await hit.getByRole('columnheader').allTextContents()).toEqual(['Stone', 'Weight'])
    expect(await hit.locator('td mark strong').allTextContents()).toEqual(['granite', 'base'])
    await checkPage()
    await hit.getByRole('link', { name: 'guide' }).click()
    const text = page.getByRole('dialog').getByRole('region', { name: 'Text' })
    await text.getByRole('heading', { name: 'Marking a path' }).waitFor()
    expect(await text.locator('li').allTextContents()).toEqual(['slate', 'quartz', 'Look', 'Walk'])
    expect(await text.locator('pre').textContent()).toBe('cairn ns create handbook\n')
    const link = text.getByRole('link', { name: 'the map' })
    expect(await link.getAttribute('href')).toBe('https://example.org/map')
    expect(await link.getAttribute('rel')).toBe('noreferrer')
    await checkPage()
    // The text itself is what is copied.
    await scene.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy text' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(guide)
    await closeDialog()
    expectNoFaults()
  })

  it('renders rows of a sheet as a table', async () => {
    const hit = await find('signposts', 'sheet')
    expect(await hit.getByRole('columnheader').allTextContents()).toEqual(['id', ...columns])
    expect(await hit.locator('mark').allTextContents()).toContain('signposts')
    // A table that is wider than the page scrolls by itself.
    await checkPage()
    expectNoFaults()
  })

  it('marks the row that an answer quotes, and tells from an answer what only comes near', async () => {
    const ships = ['Aurora', 'Brigid', 'Cecilia', 'Dagny', 'Erika', 'Freya', 'Gudrun', 'Hilda', 'Ingrid', 'Jonna']
    const rows = ships.map((ship, at) => `| ${ship} | ${110 + at} | ${1990 + at} | Norrline of Lindau |`)
    const text = ['| ship | cars | built | operator |', '| --- | --- | --- | --- |', ...rows].join('\n')
    await createNamespace(api(), undefined, 'fleet')
    await index(api(), 'fleet', [{ id: 'ships', text }])
    const ask = async (question: string) => {
      await open(`search?ns=fleet&ask=1&q=${encodeURIComponent(question)}`, 'Search and ask')
      const answer = page.getByRole('region', { name: 'Answer' })
      await answer.locator('[aria-busy=false]').waitFor()
      return answer
    }
    const answer = await ask('How many cars does the ship Ingrid carry?')
    await answer.getByText(/^Quoted from ships fleet; no language model wrote it\./).waitFor()
    const source = answer.getByRole('listitem')
    expect(await source.locator('mark').allTextContents()).toEqual(['Ingrid', '118', '1998', 'Norrline of Lindau'])
    // The names of the columns are shown, although they are far from the row.
    expect(await source.getByRole('columnheader').allTextContents()).toEqual(['ship', 'cars', 'built', 'operator'])
    await checkPage()
    const refusal = await ask('How many cars does the ship Zephyrine carry?')
    await refusal.getByText('The files do not say it.', { exact: true }).waitFor()
    await refusal.getByText(/^Nearest: .*from ships fleet$/).waitFor()
    expect(await refusal.locator('.not-said q').count()).toBe(1)
    expect(await refusal.locator('mark').count()).toBe(0)
    await checkPage()
    expectNoFaults()
  })

  it.each(Object.keys(hostile))('shows a hostile text (%s) as text, and stays responsive', async (id) => {
    const hit = await find('gorge', id)
    await hit.getByRole('link', { name: id, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('gorge').first().waitFor()
    const started = Date.now()
    await closeDialog()
    expect(Date.now() - started).toBeLessThan(5_000)
    expect(await page.locator('.rendered :is(img, script, iframe), .rendered a:not([href^="http"])').count()).toBe(0)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expectNoFaults()
  })

  it.each(['|', '['])('shows a megabyte of %s at once', async (sign) => {
    await page.route('**/v1/search', async (route) => {
      const response = await route.fetch()
      const { results, ...body } = await response.json()
      const [first] = results
      await route.fulfill({ response, json: { ...body, results: [{ ...first, text: many(sign, 1_000_000) }] } })
    })
    const hit = await find('signposts', 'sheet')
    await hit.getByRole('button', { name: 'Show full text' }).click()
    await expect.poll(() => hit.locator('.rendered').textContent()).toHaveLength(1_000_000)
    const started = Date.now()
    await page.getByLabel('Query or question').fill('next')
    await hit.getByRole('button', { name: 'Show less' }).click()
    expect(Date.now() - started).toBeLessThan(5_000)
    await page.unroute('**/v1/search')
    expectNoFaults()
  })
})
