import { expect, test } from 'vitest'
import { formatPhone } from './text.ts'

test('formats ten digits as a phone number, and leaves anything else unchanged', () => {
  for (const text of [
    '5125550100',
    '+15125550100',
    '+1 512 555 0100',
    '(512) 555-0100',
    '512.555.0100',
    '1-512-555-0100',
  ])
    expect(formatPhone(text)).toBe('(512) 555-0100')
  for (const text of ['+491761234567', '+49 176 123456', '555 0100', '512 555 01000', ''])
    expect(formatPhone(text)).toBe(text)
})
