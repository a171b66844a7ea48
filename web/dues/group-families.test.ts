import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import { groupFamilies } from './group-families.ts'

const createStudent = (name: string, payer?: string) =>
  ({
    id: name,
    name,
    guardians: payer
      ? [
          { id: `other guardian of ${name}`, pays: false },
          { id: payer, name: payer, pays: true },
        ]
      : [],
  }) as unknown as Student

test('groups students who share a payer, in the place of the first one', () => {
  const students = [
    createStudent('Ann', 'Rosa'),
    createStudent('Ben'),
    createStudent('Cleo', 'Rosa'),
    createStudent('Dan', 'Omar'),
  ]
  const families = groupFamilies(students).map(({ payer, students: siblings }) => [
    payer?.name,
    siblings.map(({ name }) => name),
  ])
  expect(families).toEqual([
    ['Rosa', ['Ann', 'Cleo']],
    [undefined, ['Ben']],
    [undefined, ['Dan']],
  ])
})
