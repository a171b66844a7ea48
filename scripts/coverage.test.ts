import { expect, test } from 'vitest'
import { sentencesOf } from './coverage/sentences.ts'
import { problemsWith, coverageOf, titleIn } from './coverage.ts'

const specification = `# Title
## 1. Words
- Says 'All done. Good.' then; asks 'Sure?' (once; twice). Ends 'so.' New one.
| Head | Head |
|---|---|
| GET /a | b; c |
`
const sentences = sentencesOf(specification)
const tests = {
  'e2e/words.spec.ts':
    "test('it ends', async () => {})\ntest.each([1])('every line is read', () => {})\ntest('it’s new', { tag: '@long' }, async () => {})",
}

test('a specification is cut into sentences, their parts and the lines of tables; quotes and brackets are whole', () => {
  expect(sentences.map(({ text }) => text)).toEqual([
    "Says 'All done. Good.' then",
    "asks 'Sure?' (once; twice).",
    "Ends 'so.'",
    'New one.',
    '| GET /a | b; c |',
  ])
})

test('a title is found by how it begins', () => {
  expect([
    titleIn(tests['e2e/words.spec.ts'], 'every'),
    titleIn(tests['e2e/words.spec.ts'], 'ends'),
  ]).toEqual(['every line is read', undefined])
})

test('what has no proof, what proves nothing and what is no test is said', () => {
  const proofs = {
    '1. Words': {
      Says: ['e2e/words: it ends'],
      asks: 'It is a question.',
      Ends: [],
      '| ': ['e2e/words: no such'],
      New: ['e2e/words: it’s new'],
      Never: ['e2e/words: every'],
    },
  }
  expect(problemsWith(sentences, proofs, tests)).toEqual([
    'Not proven, in "1. Words": Ends \'so.\'',
    'Not proven in "npm test", in "1. Words": New one.',
    'No sentence begins with "Never"',
    'No test begins with "e2e/words: no such"',
  ])
  expect(coverageOf(sentences, proofs, tests)).toContain(
    [
      "| Says 'All done. Good.' then | `e2e/words.spec.ts` it ends |",
      "| asks 'Sure?' (once; twice). | *Said, not tested:* It is a question. |",
    ].join('\n'),
  )
})
