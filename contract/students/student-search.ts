import { nameContains, normalize } from '../lib/name-search.ts'

export const STUDENT_FILTERS = ['all', 'regular', 'trial', 'vacation'] as const
export type StudentFilter = (typeof STUDENT_FILTERS)[number]

const MIN_PHONE_DIGITS = 3
/** The digits of a search text that looks like part of a phone number. +1 may be left out. */
const phoneDigits = (searchText: string) => {
  const digits = /^[\d\s()+./-]+$/.test(searchText)
    ? searchText.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
    : ''
  return digits.length >= MIN_PHONE_DIGITS ? digits : undefined
}

type Contact = { name: string; email: string | null }
type SearchableStudent = Contact & {
  phone_number?: string | null
  is_trial: boolean
  on_vacation: boolean
  guardians?: (Contact & { phone: string | null })[]
}

/** Matches names in any word order, emails and phones, those of guardians, too. */
export const studentMatches = (
  s: SearchableStudent,
  searchText: string,
  filter: StudentFilter,
): boolean => {
  const phrase = normalize(searchText.trim())
  const digits = phoneDigits(phrase)
  const matchesName = nameContains(searchText)
  const matchesContact = ({ name, email }: Contact, phoneNumber: string | null | undefined) =>
    matchesName(name) ||
    normalize(email ?? '').includes(phrase) ||
    (digits !== undefined && (phoneNumber ?? '').replace(/\D/g, '').includes(digits))
  const isMatch =
    matchesContact(s, s.phone_number) ||
    (s.guardians ?? []).some((guardian) => matchesContact(guardian, guardian.phone))
  return (
    isMatch &&
    { all: true, regular: !s.is_trial, trial: s.is_trial, vacation: s.on_vacation }[filter]
  )
}
