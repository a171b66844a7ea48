import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { flag } from '../lib/fields.ts'

/** A password with a personal word is easy to guess if it has fewer other letters than this. */
const MIN_OTHER_LETTERS = 4
const MIN_WORD_LENGTH = 3

const keepLetters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
const listPersonalWords = (text: string) =>
  [text, ...text.split(/[^\p{L}]+/u)]
    .map(keepLetters)
    .filter(({ length }) => length >= MIN_WORD_LENGTH)

export function isPersonalPassword(
  password: string,
  personalTexts: readonly (string | null | undefined)[],
): boolean {
  const words = personalTexts
    .flatMap((text) => listPersonalWords(text ?? ''))
    .toSorted((a, b) => b.length - a.length)
  const letters = keepLetters(password)
  const otherLetters = words.reduce((text, word) => text.replaceAll(word, ''), letters)
  return otherLetters.length < letters.length && otherLetters.length < MIN_OTHER_LETTERS
}

const passwordRules = z.object({ refuses_common: flag('Refuses common passwords') })
export type PasswordRules = z.output<typeof passwordRules>

export const passwordsApi = {
  check: {
    method: 'POST',
    path: '/password-check',
    access: 'public',
    summary:
      'Whether a new password is one that many people use. The password is not stored or logged',
    duringSignIn: true,
    body: z.object({
      password: z.string({ error: 'Password is required' }).max(1000, 'Password is not valid'),
    }),
    reply: z.object({ is_common: z.boolean() }),
  },
  rules: {
    method: 'GET',
    path: '/super-admin/password-rules',
    access: 'super-admin',
    summary: 'Whether common passwords are refused',
    reply: passwordRules,
  },
  setRules: {
    method: 'PUT',
    path: '/super-admin/password-rules',
    access: 'super-admin',
    summary: 'Refuse or allow common passwords',
    body: passwordRules,
    reply: passwordRules,
  },
} as const satisfies Api
