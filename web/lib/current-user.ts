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

/** True for all staff of a school, including owners. */
export const isStaff = ({ staff }: SignedInUser): boolean => staff !== null

/** True if the user has this right, or all of these rights. False for users who are not staff. */
export const can = ({ staff }: SignedInUser, right: NeededRight): boolean =>
  staff !== null && missingRight(right, new Set(staff.rights)) === undefined

/** True if the user's device stores rolls, to take attendance offline. False while an owner views
 *  the school as somebody else. */
export const storesRolls = (user: SignedInUser): boolean =>
  can(user, 'roll') && user.staff?.seen_as === null

/** Use it as `const can = useCan()`, then `can('money.see')`. */
export function useCan(): (right: NeededRight) => boolean {
  const user = useCurrentUser()
  return (right) => can(user, right)
}

/** Guardians who also train have the role of a student. Those who also teach are instructors. */
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
