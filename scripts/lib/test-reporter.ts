import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestModuleState,
  type TestRunEndReason,
  type Vitest,
} from 'vitest/node'

/** Annotation type of a part of a test that did not run; its message is the reason. */
const notRun = 'not run'

/** Returns why a test, or a part of it, did not run. */
const reasonsOf = (test: TestCase): string[] => {
  const result = test.result()
  const skipped = result.state === 'skipped' ? [result.note ?? 'skipped without a reason'] : []
  return [...skipped, ...test.annotations().flatMap(({ type, message }) => (type === notRun ? [message] : []))]
}

/** Returns one line per reason, with the number of its occurrences. */
export const summarizeReasons = (reasons: readonly string[]): string[] =>
  [...Map.groupBy(reasons, (reason) => reason.replaceAll(/\s+/g, ' ').trim())]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([reason, { length }]) => `not run: ${length} ${length === 1 ? 'test' : 'tests'}: ${reason}`)

/**
 * Prints failures and the summary, without a line for each test that passed and without absolute paths, then one line
 * per reason why tests did not run.
 */
export class TestReporter extends DefaultReporter {
  override onInit(vitest: Vitest): void {
    // The banner has the absolute path of the checkout.
    vitest.logger.printBanner = () => undefined
    super.onInit(vitest)
  }

  override printTestModule(module: TestModule): void {
    if (module.state() === 'failed') super.printTestModule(module)
  }

  override printTestCase(state: TestModuleState, test: TestCase): void {
    if (test.result().state === 'failed') super.printTestCase(state, test)
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameters<DefaultReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason)
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    for (const line of summarizeReasons(tests.flatMap(reasonsOf))) this.log(line)
  }
}
