import type { Student } from '@tatami/contract/students'

/** The place of those who answer for a student. Tatami knows none beside the emergency contact yet. */
export const StudentGuardians = (_: { student: Student }) => null
