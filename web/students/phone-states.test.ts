import { expect, test } from 'vitest'
import { phoneStates } from './phone-states.ts'

const phone = (
  holder_name: string | null,
  obstacle: 'replied_stop' | 'withdrawn' | 'undeliverable' | null,
) => ({
  phone_number: '+15125550150',
  holder: holder_name === null ? ('student' as const) : ('guardian' as const),
  holder_name,
  obstacle,
})

test('names whose phone has replied STOP, and whose still gets texts', () => {
  expect(
    phoneStates(
      'Leo Chen',
      [phone(null, null), phone('Ana Chen', 'replied_stop'), phone('Ben Chen', 'withdrawn')],
      [],
    ),
  ).toEqual([
    'Leo’s phone gets texts',
    'Ana’s phone has replied STOP',
    'Ben’s phone no longer agrees to texts',
  ])
  expect(phoneStates('Leo Chen', [phone(null, 'undeliverable')], [])).toEqual([
    'Leo’s phone can’t get texts',
  ])
  expect(phoneStates('Leo Chen', [], [])).toEqual(['No valid phone number'])
  expect(phoneStates('Leo Chen', [phone(null, null)], [phone('Ben Chen', 'replied_stop')])).toEqual(
    ['Leo’s phone gets texts', 'Fees: Ben’s phone has replied STOP'],
  )
})
