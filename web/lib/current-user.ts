import type { Role } from '@tatami/contract/lib/endpoint'
import type { SignedInUser } from '@tatami/contract/accounts/users'
import { createContext, use } from 'react'
import { type Layout, pathIn } from './layout.ts'
import { PATHS } from './paths.ts'

export const CurrentUserContext = createContext<SignedInUser | null>(null)

export function useCurrentUser(): SignedInUser {
  const user = use(CurrentUserContext)
  if (!user) throw new Error('useCurrentUser works only inside <SignedIn> (guards.tsx)')
  return user
}

/** A guardian who also trains has the role of a student. One who also teaches is an instructor. */
export function roleOf({
  is_super_admin,
  is_instructor,
  is_guardian,
  belt_level,
}: SignedInUser): Role {
  if (is_super_admin) return 'super-admin'
  if (is_instructor) return 'instructor'
  return is_guardian && belt_level === null ? 'guardian' : 'student'
}
export const homePath = (user: SignedInUser) =>
  user.is_super_admin ? PATHS.superAdmin : PATHS.dashboard
/** The super admin's home is the same in both layouts (specification, section 2). */
export const homePathIn = (layout: Layout, user: SignedInUser) =>
  user.is_super_admin ? homePath(user) : pathIn(layout, homePath(user))
