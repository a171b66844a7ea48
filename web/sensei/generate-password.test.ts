import { passwordReset, passwordStrength } from '@tatami/contract/sensei/sensei'
import { expect, test } from 'vitest'
import { generatePassword } from './generate-password.ts'

test('generates a strong password of 16 characters with at least one of each kind', () => {
  for (const password of Array.from({ length: 500 }, generatePassword)) {
    expect(password).toHaveLength(16)
    for (const kind of [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d]/]) expect(password).toMatch(kind)
    expect(passwordStrength(password)).toBe('Strong')
    expect(passwordReset.safeParse({ new_password: password }).success).toBe(true)
  }
})

test('generates a different password each time, with the digits at different positions', () => {
  const passwords = Array.from({ length: 500 }, generatePassword)
  expect(new Set(passwords).size).toBe(500)
  expect(new Set(passwords.map((password) => password.search(/\d/))).size).toBeGreaterThan(5)
})
