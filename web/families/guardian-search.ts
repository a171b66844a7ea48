import type { Guardian } from '@tatami/contract/guardians/guardians'
import { nameHas, normalize } from '@tatami/contract/lib/name-search'

/** A part of the name, phone or email of the guardian, or of the name of one of their students; without case and accents. */
export const guardianMatches = ({ name, phone, email, students }: Guardian, search: string) =>
  [name, ...students.map(({ student_name }) => student_name)].some(nameHas(search)) ||
  [phone, email].some((address) => normalize(address ?? '').includes(normalize(search.trim())))
