import { expect, test } from 'vitest'
import { membersForRequest, NEW_MEMBER, relationTo } from './family-members.ts'

const father = { students: [{ student_id: 'leo', relation: 'father' }] } as Parameters<
  typeof relationTo
>[0]

test('keeps the relation to a linked student and suggests it for the next one', () => {
  expect([
    relationTo(father, 'leo'),
    relationTo(father, 'mia'),
    relationTo(undefined, 'mia'),
  ]).toEqual(['father', 'father', 'mother'])
  expect(
    membersForRequest(father, { leo: NEW_MEMBER, mia: { ...NEW_MEMBER, log_in: 'close' } }),
  ).toEqual([
    { student_id: 'leo', relation: undefined, log_in: 'keep' },
    { student_id: 'mia', relation: 'father', log_in: 'close' },
  ])
})

test('sends the relation that the instructor chose', () => {
  const members = { leo: { ...NEW_MEMBER, relation: 'grandparent' as const } }
  expect(membersForRequest(father, members)).toEqual([
    { student_id: 'leo', relation: 'grandparent', log_in: 'keep' },
  ])
})
