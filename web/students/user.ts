import type { User } from '@tatami/contract/students'
import { createContext, use } from 'react'

export const UserContext = createContext<User | null>(null)

/** Who is signed in. Only inside the guards. */
export function useUser(): User {
  const user = use(UserContext)
  if (!user) throw new Error('useUser belongs inside the guards')
  return user
}

export const roleOf = (user: User) => (user.is_super_admin ? 'super-admin' : user.is_instructor ? 'instructor' : 'student')
export const homeOf = (user: User) => (user.is_super_admin ? '/super-admin' : '/dashboard')
