import type { Guardian } from '@tatami/contract/guardians/guardians'
import { nameContains, normalize } from '@tatami/contract/lib/name-search'

export const guardianMatches = ({ name, phone, email, students }: Guardian, search: string) =>
  [name, ...students.map(({ student_name }) => student_name)].some(nameContains(search)) ||
  [phone, email].some((address) => normalize(address ?? '').includes(normalize(search.trim())))
