/** `failures` lists the names of the failed tests, if the stage reports them. */
export type StageResult = { passed: number; failed: number; skipped: number; failures: string[] }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}

type PlaywrightSuite = {
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { projectName: string; status: string }[] }[]
}
type PlaywrightReport = {
  suites: PlaywrightSuite[]
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

export function readVitestReport(report: VitestReport): StageResult {
  const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failedTests = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName }) => `${name}: ${fullName}`)
    return failedTests.length === 0 && status === 'failed'
      ? [`${name} did not run to its end`]
      : failedTests
  })
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  }
}

/** A flaky test counts as passed. Playwright's own output names it. */
export function readPlaywrightReport({ suites, stats }: PlaywrightReport): StageResult {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures: suites.flatMap((suite) => failuresIn(suite, '')),
  }
}

function failuresIn({ title, suites = [], specs = [] }: PlaywrightSuite, parent: string): string[] {
  const path = parent ? `${parent} › ${title}` : title
  const failures = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ projectName }) => `[${projectName}] ${path} › ${spec.title}`),
  )
  return [...failures, ...suites.flatMap((suite) => failuresIn(suite, path))]
}

/** A stage can fail although no test did, for example because of an unhandled rejection. */
export const withExitStatus = (
  result: StageResult,
  stage: string,
  { isSuccess, lastLines }: { isSuccess: boolean; lastLines: string[] },
): StageResult =>
  isSuccess || result.failed > 0
    ? result
    : {
        ...result,
        failed: 1,
        failures: [[`${stage} ended with an error:`, ...lastLines].join('\n    ')],
      }

export function summaryLine(results: StageResult[]): string {
  const sum = (pick: (result: StageResult) => number) =>
    results.reduce((total, result) => total + pick(result), 0)
  const skippedCount = sum((result) => result.skipped)
  const counts = [
    `${sum((result) => result.passed)} passed`,
    `${sum((result) => result.failed)} failed`,
    ...(skippedCount > 0 ? [`${skippedCount} skipped`] : []),
  ]
  return counts.join(', ')
}
