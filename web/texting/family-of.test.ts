import { expect, test } from 'vitest'
import { familyOf } from './family-of.ts'

const student = (id: string, changes: object = {}) => ({
  id,
  name: id,
  phone_number: null,
  guardians: [],
  awaits_approval: false,
  ...changes,
})
const guardian = (id: string, gets_texts = true) => ({ id, gets_texts }) as never

test('finds students with the same texted guardian, or the same phone in any format', () => {
  const leo = student('leo', {
    guardians: [guardian('rosa'), guardian('ben', false)],
    phone_number: '512 555 0142',
  })
  const otherStudents = [
    student('mia', { guardians: [guardian('rosa')] }),
    student('ana', { phone_number: '+1 (512) 555-0142' }),
    student('tom', { guardians: [guardian('ben')] }),
    student('zoe', { guardians: [guardian('rosa', false)], phone_number: '512 555 0143' }),
    student('eva', { guardians: [guardian('rosa')], awaits_approval: true }),
    student('ken'),
  ]
  expect(familyOf(leo, [leo, ...otherStudents]).map(({ id }) => id)).toEqual(['mia', 'ana'])
  expect(familyOf(student('ken'), [student('tom')])).toEqual([])
})
