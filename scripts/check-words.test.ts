import { expect, test } from 'vitest'
import { decidedIn, problemsWith, quotedIn, untestedSentences } from './check-words.ts'

test('what is quoted is found, and an apostrophe is no quote', () => {
  expect(
    quotedIn("Students' Settings; text 'Sent to {n} students' and 'Failed: ' plus detail"),
  ).toEqual(['Sent to {n} students', 'Failed:'])
  expect(
    decidedIn(
      '## Signing in\n401 "Incorrect email or\n  password", `dojo_id`, `POST /login`, ' +
        '"Send again"\n## Labels\n*Not asked here*',
    ),
  ).toEqual(['Incorrect email or password', 'Send again'])
})

test.each([
  ['as a string', "const words = 'Sent to all'"],
  ['in JSX', '<p>Sent to all</p>'],
  ['alone on a line', '<p>\n  Sent to all\n</p>'],
])('a sentence is at home %s', (_, source) => {
  expect(problemsWith(['Sent to all'], [['a.tsx', source]], {})).toEqual([])
})

test('it may be neither missing, nor part of another, nor only in a comment, nor in two files', () => {
  const sources: [string, string][] = [
    ['a.ts', "'Login failed badly'"],
    ['b.ts', "/** 'Login failed' */\n'Hi ${name}!'"],
    ['c.tsx', '<p>Hi {user.name}!</p>'],
  ]
  expect(problemsWith(['Login failed', 'Hi {name}!'], sources, {})).toEqual([
    '"Login failed" stands nowhere',
    '"Hi {name}!" stands in b.ts, c.tsx',
  ])
})

test('an exception must be one', () => {
  expect(
    problemsWith(['Ok', 'Gone'], [['a.ts', "'Ok'"]], { Ok: 'why', Gone: 'why', Other: 'why' }),
  ).toEqual(['"Ok" is no exception any more', '"Other" is no exception any more'])
})

test('a sentence is tested when a test spells it, whatever stands in its placeholders', () => {
  const tests = [`expect(page.getByText('Sent to 3 students'))`, `'Couldn\\'t load'`]
  expect(
    untestedSentences(['Sent to {n} students', "Couldn't load", 'Not (yet) spelled'], tests),
  ).toEqual(['Not (yet) spelled'])
})
