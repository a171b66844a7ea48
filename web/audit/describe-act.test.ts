import { expect, test } from 'vitest'
import { describeAct } from './describe-act.ts'

const BY_KENJI = {
  actor_kind: 'instructor',
  actor: 'Kenji Sato',
  subject: null,
  student: null,
  details: {},
} as const
const sentence = (act: object) =>
  Object.values(describeAct({ ...BY_KENJI, action: '', ...act })).join(' ')

test.each([
  [
    { action: 'student approved', subject: 'Maya Lopez' },
    'Kenji Sato approved the student Maya Lopez',
  ],
  [{ action: 'student deleted' }, 'Kenji Sato deleted a student'],
  [
    {
      action: 'student changed',
      subject: 'Maya Lopez',
      details: { email: true, belt_level: true },
    },
    'Kenji Sato changed the student Maya Lopez: email, belt',
  ],
  [
    {
      action: 'guardian rights changed',
      subject: 'Ana Lopez',
      student: 'Maya Lopez',
      details: { sees: false, note: true },
    },
    'Kenji Sato changed what the guardian Ana Lopez of Maya Lopez may do: no longer sees the page, note',
  ],
  [
    {
      action: 'payment marked',
      subject: 'Maya Lopez',
      details: { month: 0, year: 2026, status: 'paid', amount: 85.5 },
    },
    'Kenji Sato marked January 2026 of the student Maya Lopez paid, $85.50',
  ],
  [
    { action: 'sensei password reset', actor: null, actor_kind: 'admin', subject: 'Kenji Sato' },
    'The admin team set a new password for Kenji Sato',
  ],
  [
    {
      action: 'guardian rights ended by age',
      actor: null,
      actor_kind: 'system',
      subject: 'Ana Lopez',
    },
    'Tatami ended the rights of the guardian Ana Lopez, who came of age',
  ],
  [{ action: 'password changed', subject: 'Kenji Sato' }, 'Kenji Sato changed their password'],
  [
    { action: 'invitation replaced', actor: null, actor_kind: 'gone' },
    'Somebody who has left replaced the invitation for students',
  ],
  [{ action: 'something new' }, 'Kenji Sato something new'],
])('%j reads %j', (act, text) => {
  expect(sentence(act)).toBe(text)
})
