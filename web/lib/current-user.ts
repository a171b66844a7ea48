import type { SignedInUser } from '@tatami/contract/students'
import { createContext, use } from 'react'

export const CurrentUserContext = createContext<SignedInUser | null>(null)

/** Who is signed in. Only inside the guards. */
export function useCurrentUser(): SignedInUser {
  const user = use(CurrentUserContext)
  if (!user) throw new Error('useCurrentUser belongs inside the guards')
  return user
}

export const roleOf = (user: SignedInUser) => (user.is_super_admin ? 'super-admin' : user.is_instructor ? 'instructor' : 'student')
export const homeOf = (user: SignedInUser) => (user.is_super_admin ? '/super-admin' : '/dashboard')
