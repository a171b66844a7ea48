import type { z } from 'zod'

export const ROLES = ['student', 'instructor', 'super-admin'] as const
export type Role = (typeof ROLES)[number]

/** Who may call. The server refuses everyone else before it looks at the body. */
export type Access = 'public' | 'signed-in' | 'member' | Role

/** The roles each kind of access lets in; a member belongs to a dojo. */
export const ADMITS = {
  'signed-in': ROLES,
  member: ['student', 'instructor'],
  student: ['student'],
  instructor: ['instructor'],
  'super-admin': ['super-admin'],
} as const satisfies Record<Exclude<Access, 'public'>, readonly Role[]>

/** The calls that one address may make only so often; the numbers are the server's settings. */
export type Throttle = 'sign-in' | 'registration' | 'consent'

/** One call of the API, said once: the server mounts it, the client calls it, tests walk it, the API page is printed from it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  access: Access
  /** One line for the API page. */
  summary: string
  throttle?: Throttle
  /** Asked by every open page every few seconds: carries an ETag, and answers 304 while nothing changed. */
  polled?: true
  /** Sent again with the same Idempotency-Key header, it is not done again and gets the first answer. */
  idempotent?: true
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Fields that are not in it never leave the server. */
  reply: z.ZodType
}
export type Api = Record<string, Endpoint>

/** One whose query is a `pageQuery`, and whose rows come newest first. */
export type Paged = Endpoint & { query: z.ZodType; reply: z.ZodType<{ id: string }[]> }

type Part = 'params' | 'query' | 'body'
/** What a handler receives: each declared part, validated. */
export type Received<E extends Endpoint> = { [P in Part as E[P] extends z.ZodType ? P : never]: z.output<E[P]> }
/** What a caller sends: each declared part, as written. */
export type Sent<E extends Endpoint> = { [P in Part as E[P] extends z.ZodType ? P : never]: z.input<E[P]> }
export type Reply<E extends Endpoint> = z.output<E['reply']>
