import { existsSync } from 'node:fs'

/** Path of a Chromium on this machine; undefined if there is none. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
