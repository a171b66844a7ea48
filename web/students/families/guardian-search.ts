import type { Guardian } from '@tatami/contract/guardians'
import { normalize } from '@tatami/contract/student-search'

/** A part of the name, phone or email of the guardian, or of the name of one of their students; without case and accents. */
export const guardianMatches = ({ name, phone, email, students }: Guardian, typed: string) =>
  [name, phone ?? '', email ?? '', ...students.map(({ student_name }) => student_name)].some(
    (words) => normalize(words).includes(normalize(typed.trim())),
  )
