import { expect, test } from 'vitest'
import { showPhone } from './show-phone.ts'

test('ten digits are written as a phone number, anything else as it was typed', () => {
  expect(['5125550100', '+15125550100'].map(showPhone)).toEqual(['(512) 555-0100', '(512) 555-0100'])
  expect(['+1 512 555 0100', '+491761234567', ''].map(showPhone)).toEqual(['+1 512 555 0100', '+491761234567', ''])
})
