import type { SignedInUser } from '@tatami/contract/students'
import { roleOf } from '../lib/current-user.ts'

const WORDS = { 'super-admin': 'Super Admin', instructor: 'Instructor', student: 'Student' }

/** "Ken Adams (Instructor)" */
export const nameWithRole = (user: SignedInUser) => `${user.name} (${WORDS[roleOf(user)]})`
