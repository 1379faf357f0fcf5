import type { Browser } from 'playwright-core'
import { chromiumPath, launchChromium } from '../e2e/chromium.ts'
import { startStandalone } from '../e2e/target.ts'
import type { Measured, Row } from './harness/row.ts'

/**
 * Script that collects the figures. Long tasks count by their time beyond 50 ms, as in browsers' total blocking time.
 */
const collect = `window.figures = { fcp: 0, lcp: 0, shift: 0, blocked: 0 }
  const observe = (type, add) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => name === 'first-contentful-paint' && (window.figures.fcp = startTime))
  observe('largest-contentful-paint', ({ startTime }) => (window.figures.lcp = startTime))
  observe('layout-shift', ({ value, hadRecentInput }) => hadRecentInput || (window.figures.shift += value))
  observe('longtask', ({ duration }) => (window.figures.blocked += Math.max(0, duration - 50)))`

const settleMs = 1_000

/** Opens the page in a browser context without a cache. */
const paint = async (browser: Browser, url: string): Promise<Measured> => {
  const context = await browser.newContext({ viewport: { width: 1_160, height: 760 } })
  try {
    const page = await context.newPage()
    let kilobytes = 0
    page.on('requestfinished', async (request) => {
      kilobytes += (await request.sizes()).responseBodySize / 1_000
    })
    await page.addInitScript(collect)
    await page.goto(url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForTimeout(settleMs)
    const figures = (await page.evaluate('window.figures')) as Measured
    return { ...figures, kilobytes }
  } finally {
    await context.close()
  }
}

export const row: Row = {
  name: 'console-paint',
  what: 'the first page of the console in a browser without a cache',
  method:
    'Chromium without a window, 1160 × 760, one process with the lexical embedder, over loopback; a new browser context each round, one second after the heading is there. FCP and LCP: first and largest contentful paint; blocked: total blocking time.',
  figures: [
    { name: 'fcp', unit: 'ms', digits: 0 },
    { name: 'lcp', unit: 'ms', digits: 0 },
    { name: 'blocked', unit: 'ms', digits: 0 },
    { name: 'shift', unit: 'layout shift', digits: 3 },
    { name: 'kilobytes', unit: 'kB transferred', digits: 1 },
  ],
  marks: [
    { what: 'first contentful paint', figure: 'fcp', sides: ['console'], atMost: 500 },
    { what: 'layout shift', figure: 'shift', sides: ['console'], atMost: 0.1 },
    { what: 'transferred', figure: 'kilobytes', sides: ['console'], atMost: 200 },
  ],
  missing: async () => (chromiumPath === undefined ? 'there is no Chromium on this machine' : undefined),
  open: async () => {
    const target = await startStandalone({ env: { CAIRN_EMBEDDER: 'lexical', NODE_ENV: 'production' } })
    const browser = await launchChromium()
    return {
      sides: [{ name: 'console', round: () => paint(browser, target.url) }],
      close: async () => {
        await browser.close()
        await target.stop()
      },
    }
  },
}
