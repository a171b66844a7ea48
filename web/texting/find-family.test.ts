import { expect, test } from 'vitest'
import { findFamily } from './find-family.ts'

const createStudent = (id: string, overrides: object = {}) => ({
  id,
  name: id,
  phone_number: null,
  guardians: [],
  awaits_approval: false,
  ...overrides,
})
const createGuardian = (id: string, { gets_texts } = { gets_texts: true }) =>
  ({ id, gets_texts }) as never

test('finds approved students with the same phone in any format, or the same guardian for texts', () => {
  const leo = createStudent('leo', {
    guardians: [createGuardian('rosa'), createGuardian('ben', { gets_texts: false })],
    phone_number: '512 555 0142',
  })
  const otherStudents = [
    createStudent('mia', { guardians: [createGuardian('rosa')] }),
    createStudent('ana', { phone_number: '+1 (512) 555-0142' }),
    createStudent('tom', { guardians: [createGuardian('ben')] }),
    createStudent('zoe', {
      guardians: [createGuardian('rosa', { gets_texts: false })],
      phone_number: '512 555 0143',
    }),
    createStudent('eva', { guardians: [createGuardian('rosa')], awaits_approval: true }),
    createStudent('ken'),
  ]
  expect(findFamily(leo, [leo, ...otherStudents]).map(({ id }) => id)).toEqual(['mia', 'ana'])
  expect(findFamily(createStudent('ken'), [createStudent('tom')])).toEqual([])
})
