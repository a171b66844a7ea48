import { expect, test } from 'vitest'
import { familyOf } from './family-of.ts'

const student = (id: string, over: object = {}) => ({
  id,
  name: id,
  phone_number: null,
  guardians: [],
  awaits_approval: false,
  ...over,
})
const of = (id: string, gets_texts = true) => ({ id, gets_texts }) as never

test('a family shares a guardian who gets texts, or a phone however it is typed', () => {
  const leo = student('leo', {
    guardians: [of('rosa'), of('ben', false)],
    phone_number: '512 555 0142',
  })
  const others = [
    student('mia', { guardians: [of('rosa')] }),
    student('ana', { phone_number: '+1 (512) 555-0142' }),
    student('tom', { guardians: [of('ben')] }),
    student('zoe', { guardians: [of('rosa', false)], phone_number: '512 555 0143' }),
    student('eva', { guardians: [of('rosa')], awaits_approval: true }),
    student('ken'),
  ]
  expect(familyOf(leo, [leo, ...others]).map(({ id }) => id)).toEqual(['mia', 'ana'])
  expect(familyOf(student('ken'), [student('tom')])).toEqual([])
})
