import { expect, test } from 'vitest'
import { findQuotedSentences, findProblems, findQuotes, untestedSentences } from './check-words.ts'

test('finds quoted sentences, and does not mistake an apostrophe for a quote', () => {
  expect(
    findQuotes("Students' Settings; text 'Sent to {n} students' and 'Failed: ' plus detail"),
  ).toEqual(['Sent to {n} students', 'Failed:'])
  expect(
    findQuotedSentences(
      '## Signing in\n401 "Incorrect email or\n  password", `dojo_id`, `POST /login`, ' +
        '"Send again"\n## Labels\n*Not asked here*',
    ),
  ).toEqual(['Incorrect email or password', 'Send again'])
})

test.each([
  ['as a string', "const words = 'Sent to all'"],
  ['in JSX', '<p>Sent to all</p>'],
  ['alone on a line', '<p>\n  Sent to all\n</p>'],
])('finds a sentence %s', (_, source) => {
  expect(findProblems(['Sent to all'], [['a.tsx', source]], {})).toEqual([])
})

test('reports a sentence that is missing, incomplete, in a comment, or in two files', () => {
  const sources: [string, string][] = [
    ['a.ts', "'Login failed badly'"],
    ['b.ts', "/** 'Login failed' */\n'Hi ${name}!'"],
    ['c.tsx', '<p>Hi {user.name}!</p>'],
  ]
  expect(findProblems(['Login failed', 'Hi {name}!'], sources, {})).toEqual([
    '"Login failed" is in no source file',
    '"Hi {name}!" is in b.ts, c.tsx',
  ])
})

test('reports an exception that is no longer needed', () => {
  expect(
    findProblems(['Ok', 'Gone'], [['a.ts', "'Ok'"]], { Ok: 'why', Gone: 'why', Other: 'why' }),
  ).toEqual([
    '"Ok" no longer needs to be an exception',
    '"Other" no longer needs to be an exception',
  ])
})

test('finds a sentence in the tests with any value for its placeholder', () => {
  const tests = [`expect(page.getByText('Sent to 3 students'))`, `'Couldn\\'t load'`]
  expect(
    untestedSentences(['Sent to {n} students', "Couldn't load", 'Not (yet) spelled'], tests),
  ).toEqual(['Not (yet) spelled'])
})
