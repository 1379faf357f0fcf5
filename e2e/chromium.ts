import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Path of Chromium on this machine; undefined if it is not installed. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

export const launchChromium = async (): Promise<Browser> => {
  if (chromiumPath === undefined) throw new Error('Chromium is not installed: apt-get install chromium')
  // Chromium's sandbox does not work as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: chromiumPath, args })
}
