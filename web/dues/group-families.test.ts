import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import { groupFamilies } from './group-families.ts'

const student = (name: string, payer?: string) =>
  ({
    id: name,
    name,
    guardians: payer
      ? [
          { id: `not ${payer}`, pays: false },
          { id: payer, name: payer, pays: true },
        ]
      : [],
  }) as unknown as Student

test('lists the students of one payer together, in the place of the first', () => {
  const students = [
    student('Ann', 'Rosa'),
    student('Ben'),
    student('Cleo', 'Rosa'),
    student('Dan', 'Omar'),
  ]
  expect(
    groupFamilies(students).map((entry) => [
      entry.payer?.name,
      entry.students.map(({ name }) => name),
    ]),
  ).toEqual([
    ['Rosa', ['Ann', 'Cleo']],
    [undefined, ['Ben']],
    [undefined, ['Dan']],
  ])
})
