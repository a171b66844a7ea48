import { z } from 'zod'
import { credentials } from './accounts.ts'
import type { Api } from './endpoint.ts'
import { done } from './fields.ts'
import { user } from './students.ts'


const signedIn = z.object({ token: z.string(), user })

export const profileApi = {
  login: { method: 'POST', path: '/login', access: 'public', summary: 'Sign in', throttle: 'sign-in', body: credentials, reply: signedIn },
  logout: { method: 'POST', path: '/logout', access: 'signed-in', summary: 'Revoke the token of this call', reply: done },
  show: { method: 'GET', path: '/profile', access: 'signed-in', summary: 'Who is signed in', reply: user },
} as const satisfies Api
