import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Violation = {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Returns the serious and critical findings of axe on the current page. */
export const seriousFindings = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source)
  const violations = await page.evaluate<readonly Violation[]>('axe.run().then(({ violations }) => violations)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`))
}
