import { expect, test } from 'vitest'
import {
  summaryLine,
  readPlaywrightReport,
  readVitestReport,
  withExitStatus,
} from './test-reports.ts'

const vitestReport = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
}
const passedReport = { passed: 2, failed: 0, skipped: 0, failures: [] }

test('counts and names the failed tests of Vitest', () => {
  const report = {
    ...vitestReport,
    numFailedTests: 1,
    numPendingTests: 1,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'adds' },
          { status: 'failed', fullName: 'divides' },
        ],
      },
    ],
  }
  expect(readVitestReport(report)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 1,
    failures: ['a.test.ts: divides'],
  })
})

test('counts a file that Vitest could not load as a failure', () => {
  const report = {
    ...vitestReport,
    testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }],
  }
  expect(readVitestReport(report)).toMatchObject({
    failed: 1,
    failures: ['a.test.ts did not run to its end'],
  })
})

test('names the failed tests of Playwright with their project', () => {
  const specs = [
    {
      title: 'signs in',
      tests: [
        { projectName: 'mobile', status: 'unexpected' },
        { projectName: 'desktop', status: 'expected' },
      ],
    },
  ]
  const report = {
    stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 2 },
    suites: [{ title: 'login.spec.ts', suites: [{ title: 'by keyboard', specs }] }],
  }
  expect(readPlaywrightReport(report)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 2,
    failures: ['[mobile] login.spec.ts › by keyboard › signs in'],
  })
})

test('counts an error at the end of a stage as a failure, with the last lines of output', () => {
  const lastLines = ['Error: late', 'at later.ts:1']
  expect(withExitStatus(passedReport, 'vitest', { isSuccess: false, lastLines })).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    failures: ['vitest ended with an error:\n    Error: late\n    at later.ts:1'],
  })
  expect(withExitStatus(passedReport, 'vitest', { isSuccess: true, lastLines })).toBe(passedReport)
})

test('mentions skipped tests in the summary only if there are any', () => {
  expect(summaryLine([passedReport, { ...passedReport, failed: 1 }])).toBe('4 passed, 1 failed')
  expect(summaryLine([{ ...passedReport, skipped: 3 }])).toBe('2 passed, 0 failed, 3 skipped')
})
