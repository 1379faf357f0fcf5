import { operations } from '@cairn/contracts/api/operations'
import type { Operation } from '@cairn/contracts/http/operation'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, watchFaults } from '../browser.ts'
import { useTarget } from '../story.ts'

describeInBrowser('the docs page', (browser) => {
  const story = useTarget()
  /**
   * Opens the page; `faults` are console errors and warnings, exceptions, violations of the content security policy,
   * and requests to another origin.
   */
  const open = async (
    colorScheme: 'light' | 'dark',
  ): Promise<{ readonly page: Page; readonly faults: readonly string[] }> => {
    const { url } = story.target
    const page = await browser().newPage({ colorScheme })
    const faults = await watchFaults(page, url)
    await page.goto(`${url}/docs`)
    await page.getByRole('heading', { name: 'Cairn', exact: true }).waitFor()
    return { page, faults }
  }

  it('sends a request with an API key and shows the answer', async () => {
    const { apiKey } = await story.member()
    const { page, faults } = await open('light')
    const { method, path, summary } = operations.listNamespaces
    await page.goto(`${story.target.url}/docs#tag/namespaces/${method.toUpperCase()}${path}`)
    await page.getByRole('heading', { name: summary }).first().waitFor()
    await page.getByRole('button', { name: `Test Request (${method} ${path})` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByPlaceholder('Your key').fill(apiKey)
    const answered = page.waitForResponse((response) => response.url() === story.target.url + path)
    await dialog.getByRole('button', { name: /^send/i }).first().click()
    const response = await answered
    expect(response.status()).toBe(200)
    expect(response.request().headers()['x-api-key']).toBe(apiKey)
    await dialog.getByText('200 OK').first().waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it.each(['sessionStorage', 'localStorage'])('uses the key that the console keeps in %s', async (storage) => {
    const { apiKey } = await story.member()
    const { page, faults } = await open('light')
    await page.evaluate(`${storage}.setItem('cairn.api-key', ${JSON.stringify(apiKey)})`)
    await page.reload()
    const { method, path } = operations.listNamespaces
    await page.goto(`${story.target.url}/docs#tag/namespaces/${method.toUpperCase()}${path}`)
    await page.getByRole('button', { name: `Test Request (${method} ${path})` }).click()
    const answered = page.waitForResponse((response) => response.url() === story.target.url + path)
    await page.getByRole('dialog').getByRole('button', { name: /^send/i }).first().click()
    expect((await answered).request().headers()['x-api-key']).toBe(apiKey)
    expect(faults).toEqual([])
    await page.close()
  })

  it('lists the operations, dark where the system is', async () => {
    const { page, faults } = await open('dark')
    for (const tag of ['Documents', 'Search', 'Admin'])
      await page.getByRole('button', { name: `Open Group - ${tag}` }).click()
    for (const { summary } of [operations.uploadDocuments, operations.search, operations.createAccount])
      await page.getByRole('link', { name: summary }).first().waitFor()
    const labelled = async ({ method, path, summary }: Operation) => {
      await page.goto(`${story.target.url}/docs#tag/namespaces/${method.toUpperCase()}${path}`)
      const section = page.locator('section').filter({ has: page.getByRole('heading', { name: summary, exact: true }) })
      await section.first().waitFor()
      return (await section.last().getByText('Cairn', { exact: true }).count()) > 0
    }
    expect(await labelled(operations.getNamespace)).toBe(true)
    expect(await labelled(operations.listNamespaces)).toBe(false)
    expect(await page.evaluate('document.body.classList.contains("dark-mode")')).toBe(true)
    expect(faults).toEqual([])
    await page.close()
  })
})
