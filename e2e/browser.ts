import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launchChromium } from './chromium.ts'

const required = process.env['REQUIRE_BROWSER'] === '1'
const reason = 'no Chromium on this machine: `apt-get install chromium` gets it'

/**
 * Describes tests that need a browser. Without a browser, the tests are skipped with the reason, or fail if a browser
 * is required.
 */
export const describeInBrowser = (name: string, tests: (browser: () => Browser) => void): void => {
  if (chromiumPath === undefined)
    it(name, ({ skip }) => {
      if (!required) skip(reason)
      expect(chromiumPath, reason).toBeDefined()
    })
  else
    describe(`${name} in a browser`, () => {
      let browser: Browser
      beforeAll(async () => {
        browser = await launchChromium()
      })
      afterAll(() => browser?.close())
      tests(() => browser)
    })
}

/**
 * Collects console errors and warnings, exceptions, violations of the content security policy, and requests to an
 * origin other than that of `url`.
 */
export const watchFaults = async (page: Page, url: string): Promise<string[]> => {
  const faults: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on(
    'request',
    (request) => /^https?:/.test(request.url()) && !request.url().startsWith(`${url}/`) && faults.push(request.url()),
  )
  await page.addInitScript(
    'document.addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective, event.blockedURI))',
  )
  return faults
}
