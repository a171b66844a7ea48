import { expect, test } from 'vitest'
import { describeAction } from './describe-action.ts'

const BY_KENJI = {
  actor: 'Kenji Sato',
  subject: null,
  student: null,
  details: {},
} as const
const describe = (action: object) => describeAction({ ...BY_KENJI, action: '', ...action })

test.each([
  [{ action: 'student approved', subject: 'Maya Lopez' }, 'approved the student Maya Lopez'],
  [{ action: 'student deleted' }, 'deleted a student'],
  [
    {
      action: 'student changed',
      subject: 'Maya Lopez',
      details: { email: true, belt_level: true },
    },
    'changed the student Maya Lopez: email, belt',
  ],
  [
    {
      action: 'guardian rights changed',
      subject: 'Ana Lopez',
      student: 'Maya Lopez',
      details: { sees: false, note: true },
    },
    'changed what the guardian Ana Lopez of Maya Lopez may do: no longer sees the page, note',
  ],
  [
    {
      action: 'payment marked',
      subject: 'Maya Lopez',
      details: { month: 0, year: 2026, status: 'paid', amount: 85.5 },
    },
    'marked January 2026 paid for the student Maya Lopez, $85.50',
  ],
  [
    { action: 'sensei password reset', actor: null, subject: 'Kenji Sato' },
    'set a new password for Kenji Sato',
  ],
  [
    {
      action: 'guardian rights ended by age',
      actor: null,
      subject: 'Ana Lopez',
      student: 'Maya Lopez',
    },
    'ended the permissions of the guardian Ana Lopez of Maya Lopez, who came of age',
  ],
  [{ action: 'password changed', subject: 'Kenji Sato' }, 'changed their password'],
  [{ action: 'passkey added' }, 'added a passkey'],
  [
    { action: 'daily limit set', details: { daily_message_limit: 1500 } },
    'set the daily message limit to 1,500',
  ],
  [{ action: 'something new' }, 'something new'],
])('describes %j as %j', (action, sentence) => {
  expect(describe(action)).toBe(sentence)
})
