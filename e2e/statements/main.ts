// node e2e/statements/main.ts: measures how many rows of financial statements in PDFs are extracted as one line.
// `--help` lists the options.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractPdf } from '@cairn/extract/pdf/read'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../chromium.ts'
import { kinds } from './kinds.ts'
import { readOptions, type StatementOptions, usage } from './options.ts'
import { type Row, type Statement, statementOf } from './page.ts'
import { rowsMissing } from './score.ts'

const shownFailures = 20

/** Fills each element of the class `dots` with dots up to its width. */
const fillDots = `for (const dots of document.querySelectorAll('.dots'))
  for (let left = 400; left > 0; left -= 1) {
    dots.textContent += '.'
    if (dots.scrollWidth > dots.clientWidth) { dots.textContent = dots.textContent.slice(1); break }
  }`

const print = async (browser: Browser, { html, width, height }: Statement): Promise<Buffer> => {
  const page = await browser.newPage({ viewport: { width: Math.round((width - 1.4) * 96), height: 1000 } })
  try {
    await page.emulateMedia({ media: 'print' })
    await page.setContent(html)
    await page.evaluate(fillDots)
    const margin = '0.7in'
    return await page.pdf({
      width: `${width}in`,
      height: `${height}in`,
      printBackground: true,
      margin: { top: margin, bottom: margin, left: margin, right: margin },
    })
  } finally {
    await page.close()
  }
}

const textOf = async (path: string): Promise<string> => {
  const texts: string[] = []
  for await (const event of extractPdf(path, { ocr: false })) if (event.event === 'block') texts.push(event.block.text)
  return texts.join('\n\n')
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`

const measure = async (browser: Browser, { rows: minRows, seed, kind, keep }: StatementOptions): Promise<void> => {
  const names = kind === undefined ? Object.keys(kinds) : [kind]
  const counts = new Map(names.map((name) => [name, { rows: 0, missing: 0 }]))
  const failures: { name: string; seed: number; row: Row }[] = []
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'cairn-statements-'))
  mkdirSync(folder, { recursive: true })
  try {
    let rows = 0
    for (let index = 0; rows < minRows || index < names.length; index += 1) {
      const name = names[index % names.length] as string
      const statement = statementOf(kinds[name] ?? {}, seed + index)
      const path = join(folder, `${name.replaceAll(/\W+/g, '-')}-${seed + index}.pdf`)
      writeFileSync(path, await print(browser, statement))
      const text = await textOf(path)
      if (keep !== undefined) writeFileSync(path.replace(/pdf$/, 'md'), text)
      const missing = rowsMissing(text, statement.rows)
      failures.push(...missing.map((row) => ({ name, seed: seed + index, row })))
      const count = counts.get(name)
      if (count) {
        count.rows += statement.rows.length
        count.missing += missing.length
      }
      rows += statement.rows.length
    }
    for (const [name, count] of counts)
      console.log(
        `${percent(count.rows - count.missing, count.rows).padStart(8)} of ${String(count.rows).padStart(4)} rows  ${name}`,
      )
    console.log(`${percent(rows - failures.length, rows).padStart(8)} of ${String(rows).padStart(4)} rows  all`)
    for (const { name, seed: own, row } of failures.slice(0, shownFailures))
      console.log(`  not whole: ${row.label} ${row.values.join(' ')}  (--kind '${name}' --seed ${own} --rows 1)`)
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

try {
  const options = readOptions(process.argv.slice(2))
  if (!options) console.log(usage)
  else {
    const browser = await launchChromium()
    try {
      await measure(browser, options)
    } finally {
      await browser.close()
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
