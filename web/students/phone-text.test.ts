import { expect, test } from 'vitest'
import { describePhones } from './phone-text.ts'

const createPhone = (
  holder_name: string | null,
  obstacle: 'replied_stop' | 'withdrawn' | 'undeliverable' | null,
) => ({
  phone_number: '+15125550150',
  holder: holder_name === null ? ('student' as const) : ('guardian' as const),
  holder_name,
  obstacle,
})

test('says whose phone gets texts and why others do not', () => {
  expect(
    describePhones(
      'Leo Chen',
      [
        createPhone(null, null),
        createPhone('Ana Chen', 'replied_stop'),
        createPhone('Ben Chen', 'withdrawn'),
      ],
      [],
    ),
  ).toEqual([
    'Leo’s phone gets texts',
    'Ana’s phone has replied STOP',
    'Ben’s phone no longer agrees to texts',
  ])
  expect(describePhones('Leo Chen', [createPhone(null, 'undeliverable')], [])).toEqual([
    'Leo’s phone can’t get texts',
  ])
  expect(describePhones('Leo Chen', [], [])).toEqual(['No valid phone number'])
  expect(
    describePhones(
      'Leo Chen',
      [createPhone(null, null)],
      [createPhone('Ben Chen', 'replied_stop')],
    ),
  ).toEqual(['Leo’s phone gets texts', 'Fees: Ben’s phone has replied STOP'])
})
