import { expect, test } from 'vitest'
import { toRequestMembers, NEW_MEMBER, suggestRelation } from './family-members.ts'

const father = { students: [{ student_id: 'leo', relation: 'father' }] } as Parameters<
  typeof suggestRelation
>[0]

test('keeps the relation to a linked student, and suggests it for other students', () => {
  expect([
    suggestRelation(father, 'leo'),
    suggestRelation(father, 'mia'),
    suggestRelation(undefined, 'mia'),
  ]).toEqual(['father', 'father', 'mother'])
  expect(
    toRequestMembers(father, { leo: NEW_MEMBER, mia: { ...NEW_MEMBER, log_in: 'close' } }),
  ).toEqual([
    { student_id: 'leo', relation: undefined, log_in: 'keep' },
    { student_id: 'mia', relation: 'father', log_in: 'close' },
  ])
})

test('sends the relation that the instructor chose', () => {
  const members = { leo: { ...NEW_MEMBER, relation: 'grandparent' as const } }
  expect(toRequestMembers(father, members)).toEqual([
    { student_id: 'leo', relation: 'grandparent', log_in: 'keep' },
  ])
})
