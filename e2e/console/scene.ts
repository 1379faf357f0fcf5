import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@cairn/testing/eventually'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { watchFaults } from '../browser.ts'
import { createClient } from '../client.ts'
import { useStandalone } from '../story.ts'
import type { StandaloneOptions } from '../target.ts'
import { seriousFindings } from './axe.ts'

/** `CONSOLE_PICTURES=1` writes the pictures of docs/console.md. */
const pictures = process.env['CONSOLE_PICTURES'] === '1'
const folder = join(import.meta.dirname, '../../docs/images')

const desktop = { width: 1_160, height: 760 }
const phone = { width: 375, height: 740 }
/** Adds up layout shifts without a preceding click or key press, by the browsers' measure; a sum up to 0.1 is good. */
const countLayoutShift = `window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`
/** Returns the elements that extend beyond the page, if the page would scroll horizontally. */
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML.slice(0, 120))`

/** Forms in which a page has a picture in the docs. */
export type Picture = 'light' | 'dark' | 'phone'

/** Starts a server with the console, and one page of a browser for the tests of a file. */
export const useConsole = (browser: () => Browser, options: StandaloneOptions = {}) => {
  // The most verbose log level.
  const story = useStandalone({ ...options, env: { CAIRN_LOG_LEVEL: 'debug', ...options.env } })
  let context: BrowserContext
  let page: Page
  let faults: string[]
  const url = () => story.target.url

  const heading = (name: string | RegExp, on = page) => on.getByRole('heading', { name, level: 1 })
  /** Opens a page anew: navigating to another fragment would keep the values of the fields. */
  const open = async (fragment: string, title: string | RegExp, on = page) => {
    await on.goto(`${url()}/#/${fragment}`)
    await on.reload()
    await heading(title, on).waitFor()
  }
  const takePicture = async (name: string) => {
    mkdirSync(folder, { recursive: true })
    await page.mouse.move(0, 0)
    await page.evaluate('document.activeElement?.blur()')
    await page.screenshot({ path: join(folder, `console-${name}.png`) })
  }
  /** Checks what must hold for every page; `name` is the name of its pictures, if it has some. */
  const checkPage = async (name?: string, forms: readonly Picture[] = ['light']) => {
    const picture = async (form: Picture) => {
      if (!pictures || name === undefined || !forms.includes(form)) return
      await takePicture(form === 'light' ? name : `${name}-${form}`)
    }
    expect(await page.evaluate('window.layoutShift')).toBeLessThan(0.1)
    await picture('light')
    expect(await seriousFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await picture('dark')
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize(phone)
    expect(await page.evaluate(tooWide)).toEqual([])
    expect(await seriousFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await picture('phone')
    await page.setViewportSize(desktop)
  }
  const closeDialog = async () => {
    // A click on a link returns before the route has changed: Escape pressed before the dialog opens closes nothing.
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.press('Escape')
    // Waits for the element, not the role, which a closed dialog no longer has: the page changes its route only after
    // the element is gone.
    await page.locator('dialog').waitFor({ state: 'detached' })
  }

  beforeAll(async () => {
    context = await browser().newContext({ viewport: desktop, reducedMotion: 'reduce' })
    page = await context.newPage()
    faults = await watchFaults(page, url())
    await page.addInitScript(countLayoutShift)
    const isBuilt = async () => {
      const response = await fetch(url(), { headers: { accept: 'text/html' } })
      return (await response.text()).includes('/console/assets/')
    }
    await eventually(isBuilt, (built) => built, { withinMs: 60_000, everyMs: 200 })
  })
  afterAll(() => context?.close())

  return {
    story,
    url,
    api: () => createClient(url(), { 'x-api-key': story.target.apiKey }),
    code: () => /#code=([\w-]+)/.exec(story.target.logs())?.[1] ?? '',
    page: () => page,
    context: () => context,
    heading,
    open,
    checkPage,
    closeDialog,
    /** Signs in with the first key, without the form. */
    signIn: async () => {
      await page.goto(url())
      await page.evaluate((key) => sessionStorage.setItem('cairn.api-key', key), story.target.apiKey)
    },
    /** Drops the browser's own reports of refused requests and cut connections. */
    dropFaults: () => void faults.splice(0),
    expectNoFaults: () => expect(faults.splice(0)).toEqual([]),
  }
}
