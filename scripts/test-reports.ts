/** What a stage of `npm test` came to. `failures` names the failed tests, as far as a report tells. */
export type Outcome = { passed: number; failed: number; skipped: number; failures: string[] }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[]
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

/** A file that could not be read as tests counts as one failure. */
export function fromVitest(report: VitestReport): Outcome {
  const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => `${name}: ${fullName}`)
    return failed.length === 0 && status === 'failed' ? [`${name} did not run to its end`] : failed
  })
  return { passed: report.numPassedTests, failed: failures.length, skipped: report.numPendingTests + report.numTodoTests, failures }
}

/** A flaky one, which only a CI gives a second try, has passed; Playwright's own output names it. */
export function fromPlaywright({ suites, stats }: PlaywrightReport): Outcome {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures: suites.flatMap((suite) => failedIn(suite, '')),
  }
}

function failedIn({ title, suites = [], specs = [] }: PlaywrightSuite, above: string): string[] {
  const here = above ? `${above} › ${title}` : title
  const failed = specs.flatMap((spec) =>
    spec.tests.filter(({ status }) => status === 'unexpected').map(({ projectName }) => `[${projectName}] ${here} › ${spec.title}`),
  )
  return [...failed, ...suites.flatMap((suite) => failedIn(suite, here))]
}

/** A stage that ended badly without naming a failure has failed all the same: once. */
export const settled = (outcome: Outcome, stage: string, endedWell: boolean): Outcome =>
  endedWell || outcome.failed > 0 ? outcome : { ...outcome, failed: 1, failures: [`${stage} ended with an error`] }

/** The last line of `npm test`. */
export function countLine(outcomes: Outcome[]): string {
  const sum = (pick: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0)
  const skipped = sum(({ skipped: count }) => count)
  return `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
