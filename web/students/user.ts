import type { SignedInUser } from '@tatami/contract/students'
import { createContext, use } from 'react'

export const UserContext = createContext<SignedInUser | null>(null)

/** Who is signed in. Only inside the guards. */
export function useUser(): SignedInUser {
  const user = use(UserContext)
  if (!user) throw new Error('useUser belongs inside the guards')
  return user
}

export const roleOf = (user: SignedInUser) => (user.is_super_admin ? 'super-admin' : user.is_instructor ? 'instructor' : 'student')
export const homeOf = (user: SignedInUser) => (user.is_super_admin ? '/super-admin' : '/dashboard')
