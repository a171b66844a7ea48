import type { Role } from '@tatami/contract/lib/endpoint'
import { missingRight, type NeededRight } from '@tatami/contract/needed-rights'
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

/** True for owners and everybody else on the staff of a school. */
export const isStaff = ({ staff }: SignedInUser): boolean => staff !== null

/** Whether a member of staff has the right, or all of several. False for everybody else. */
export const can = ({ staff }: SignedInUser, right: NeededRight): boolean =>
  staff !== null && missingRight(right, new Set(staff.rights)) === undefined

/** Whether the user's device keeps rolls for taking attendance offline. While an owner looks as
 *  somebody else, it does not. */
export const takesRolls = (user: SignedInUser): boolean =>
  can(user, 'roll') && user.staff?.seen_as === null

/** Says whether the current user has a right: `const can = useCan()`, `can('money.see')`. */
export function useCan(): (right: NeededRight) => boolean {
  const user = useCurrentUser()
  return (right) => can(user, right)
}

/** A guardian who also trains has the role of a student. One who also teaches is an instructor. */
export function roleOf({ is_super_admin, staff, is_guardian, belt_level }: SignedInUser): Role {
  if (is_super_admin) return 'super-admin'
  if (staff) return 'instructor'
  return is_guardian && belt_level === null ? 'guardian' : 'student'
}
export const homePath = (user: SignedInUser) =>
  user.is_super_admin ? PATHS.superAdmin : PATHS.dashboard
/** The super admin's home is the same in both layouts (specification, section 2). */
export const homePathIn = (layout: Layout, user: SignedInUser) =>
  user.is_super_admin ? homePath(user) : pathIn(layout, homePath(user))
