import type { User } from '@tatami/contract/students'
import { roleOf } from './students/user.ts'

const WORDS = { 'super-admin': 'Super Admin', instructor: 'Instructor', student: 'Student' }

/** "Ken Adams (Instructor)" */
export const nameWithRole = (user: User) => `${user.name} (${WORDS[roleOf(user)]})`
