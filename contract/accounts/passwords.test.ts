import { describe, expect, test } from 'vitest'
import { isPersonalPassword } from './passwords.ts'

describe('isPersonalPassword', () => {
  const PERSONAL_TEXTS = ['Aiko Tanaka', 'aiko.t@cedar-judo.com', 'Cedar Park Judo', null]
  test.each([
    'AikoTanaka1',
    'tanaka-aiko',
    'CedarParkJudo2026!',
    'cedarpark',
    'Aiko2026!',
    'aiko.t@cedar-judo.com',
    'Judo12345',
  ])('recognizes %s as personal', (password) =>
    expect(isPersonalPassword(password, PERSONAL_TEXTS)).toBe(true),
  )

  test.each(['Tatami2026', 'Aiko likes plums', '2026-10-14!', 'Parking lemons'])(
    'does not recognize %s as personal',
    (password) => expect(isPersonalPassword(password, PERSONAL_TEXTS)).toBe(false),
  )
})
