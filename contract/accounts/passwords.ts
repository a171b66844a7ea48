import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { flag } from '../lib/fields.ts'

/** Fewer letters than this beside the owner's own words make a password guessable. */
const OTHER_LETTERS = 4
const MIN_WORD = 3

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
const wordsOf = (text: string) =>
  [text, ...text.split(/[^\p{L}]+/u)].map(lettersOf).filter(({ length }) => length >= MIN_WORD)

/** True if the password is hardly more than words of `personalTexts`: names, an email, the dojo's
 *  name. */
export function isPersonalPassword(
  password: string,
  personalTexts: readonly (string | null | undefined)[],
): boolean {
  const words = personalTexts
    .flatMap((text) => wordsOf(text ?? ''))
    .toSorted((a, b) => b.length - a.length)
  const letters = lettersOf(password)
  const remaining = words.reduce((text, word) => text.replaceAll(word, ''), letters)
  return remaining.length < letters.length && remaining.length < OTHER_LETTERS
}

const passwordRules = z.object({
  refuses_common: flag('Refuses common passwords'),
})
export type PasswordRules = z.output<typeof passwordRules>

export const passwordsApi = {
  check: {
    method: 'POST',
    path: '/password-check',
    access: 'public',
    summary:
      'Whether a new password is one that many people use. The password is neither kept nor logged',
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
    summary: 'Refuse common passwords, or take them',
    body: passwordRules,
    reply: passwordRules,
  },
} as const satisfies Api
