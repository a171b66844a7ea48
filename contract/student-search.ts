export const STUDENT_FILTERS = ['all', 'regular', 'trial', 'vacation'] as const
export type StudentFilter = (typeof STUDENT_FILTERS)[number]

/** Letters that have no accent to take away, as they are typed without them. */
const PLAIN: Record<string, string> = {
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ø: 'o',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

/** Removes case and accents. */
export const normalize = (words: string) =>
  words
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[đðłøıßæœþ]/g, (letter) => PLAIN[letter]!)

const PHONE_DIGITS = 3
/** The digits of a search text that looks like part of a phone number, in any notation; +1 may be left out. */
const phoneDigits = (typed: string) => {
  const digits = /^[\d\s()+./-]+$/.test(typed)
    ? typed.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
    : ''
  return digits.length >= PHONE_DIGITS ? digits : undefined
}

type Contact = { name: string; email: string | null }
type SearchableStudent = Contact & {
  phone_number?: string | null
  is_trial: boolean
  on_vacation: boolean
  guardians?: (Contact & { phone: string | null })[]
}

/** The Student Center's search and status filter. It matches part of the name (words in any order), the email or the phone number,
 *  the student's own and those of their guardians. */
export const studentMatches = (
  s: SearchableStudent,
  typed: string,
  filter: StudentFilter,
): boolean => {
  const phrase = normalize(typed.trim())
  const digits = phoneDigits(phrase)
  const isFound = (name: string, address: string | null, phoneNumber: string | null | undefined) =>
    name.includes(phrase) ||
    normalize(address ?? '').includes(phrase) ||
    phrase.split(/[\s,]+/).every((word) => name.includes(word)) ||
    (digits !== undefined && (phoneNumber ?? '').replace(/\D/g, '').includes(digits))
  const found =
    isFound(normalize(s.name), s.email, s.phone_number) ||
    (s.guardians ?? []).some((one) => isFound(normalize(one.name), one.email, one.phone))
  return (
    found && { all: true, regular: !s.is_trial, trial: s.is_trial, vacation: s.on_vacation }[filter]
  )
}
