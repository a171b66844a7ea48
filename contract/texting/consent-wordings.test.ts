import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  CONSENT_WORDING_VERSION,
  ENROLLMENT_WORDINGS,
  JOIN_WORDINGS,
  LOGIN_WORDING_VERSION,
} from './consent-versions.ts'
import { wordingOf } from './consent-wordings.ts'

/** The hash of every wording that people may have agreed to. Add a line for each new wording. */
const RELEASED_HASHES: Record<string, string> = {
  '2026-11-21': 'd0142f6b9eec26f5',
  'join-2026-11-22': 'bd90f94e0c3e9c52',
  'enrolment-2026-11-22': '82296cdf1aa24909',
  'log-in-2026-11-26': '23eaf3c47a157ad8',
}
const hashWording = (version: string) =>
  createHash('sha256')
    .update(JSON.stringify(wordingOf(version)))
    .digest('hex')
    .slice(0, 16)

test('keeps the wording of every version, as proof of what people agreed to', () => {
  expect(
    Object.fromEntries(
      Object.keys(RELEASED_HASHES).map((version) => [version, hashWording(version)]),
    ),
  ).toEqual(RELEASED_HASHES)
})

test('has a wording for every version that is shown or accepted', () => {
  const versions = [
    CONSENT_WORDING_VERSION,
    ...JOIN_WORDINGS,
    ...ENROLLMENT_WORDINGS,
    LOGIN_WORDING_VERSION,
  ]
  for (const version of versions) {
    expect(Object.keys(RELEASED_HASHES)).toContain(version)
    expect(wordingOf(version)?.opening).toBeTruthy()
  }
  expect(wordingOf(null)).toBeUndefined()
})

test.each([...JOIN_WORDINGS, ...ENROLLMENT_WORDINGS])(
  '%s names the topic, the cost and how to stop the texts',
  (version) => {
    for (const words of [
      'fees and payments',
      // Some wordings begin a sentence with "Message".
      'essage and data rates may apply',
      'STOP',
      'need not agree',
    ])
      expect(wordingOf(version)?.opening).toContain(words)
  },
)
