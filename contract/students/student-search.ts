import { nameContains, normalize } from '../lib/name-search.ts'

/** The specification's four filters, and `former`. No other filter shows former students. */
export const STUDENT_FILTERS = ['all', 'regular', 'trial', 'vacation', 'former'] as const
export type StudentFilter = (typeof STUDENT_FILTERS)[number]

const MIN_PHONE_DIGITS = 3
/** The digits of a search text that looks like part of a phone number, without the US prefix. */
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
  left_on?: string | null
  guardians?: (Contact & { phone: string | null })[]
}

export const studentMatches = (
  student: SearchableStudent,
  searchText: string,
  filter: StudentFilter = 'all',
): boolean => {
  const searchPhrase = normalize(searchText.trim())
  const digits = phoneDigits(searchPhrase)
  const matchesName = nameContains(searchText)
  const matchesContact = ({ name, email }: Contact, phoneNumber: string | null | undefined) =>
    matchesName(name) ||
    normalize(email ?? '').includes(searchPhrase) ||
    (digits !== undefined && (phoneNumber ?? '').replace(/\D/g, '').includes(digits))
  const isMatch =
    matchesContact(student, student.phone_number) ||
    (student.guardians ?? []).some((guardian) => matchesContact(guardian, guardian.phone))
  const { is_trial, on_vacation, left_on = null } = student
  const isFormer = left_on !== null
  if (isFormer || filter === 'former') return isMatch && isFormer && filter === 'former'
  const matchesFilter = { all: true, regular: !is_trial, trial: is_trial, vacation: on_vacation }
  return isMatch && matchesFilter[filter]
}
