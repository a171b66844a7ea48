import type { z } from 'zod'

export const ROLES = ['student', 'guardian', 'instructor', 'super-admin'] as const
export type Role = (typeof ROLES)[number]
/** Who calls: an account in its role, or a kiosk, which is no account. */
export const CALLER_ROLES = [...ROLES, 'kiosk'] as const
export type CallerRole = (typeof CALLER_ROLES)[number]

/** Who may call. The server refuses everyone else before it looks at the body. */
export type Access =
  | 'public'
  | 'signed-in'
  | 'member'
  | 'staff'
  | 'kiosk'
  | Exclude<Role, 'guardian'>

/** The roles that each kind of access admits; a member belongs to a dojo, staff run one or all. What a kiosk may call nobody else may. */
export const ROLES_BY_ACCESS = {
  'signed-in': ROLES,
  member: ['student', 'guardian', 'instructor'],
  staff: ['instructor', 'super-admin'],
  student: ['student'],
  instructor: ['instructor'],
  'super-admin': ['super-admin'],
  kiosk: ['kiosk'],
} as const satisfies Record<Exclude<Access, 'public'>, readonly CallerRole[]>

/** The kinds of calls that are limited per address; the limits are settings of the server. */
export type Throttle = 'sign-in' | 'registration' | 'consent'

/** One call of the API as data: the server mounts it, the client calls it, tests iterate over it, the API reference shows it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  access: Access
  /** A sentence or a few for the API reference, for a developer of another company; without the last period. */
  summary: string
  throttle?: Throttle
  /** Polled by every open page every few seconds: the response has an ETag, and is 304 while nothing changed. */
  polled?: true
  /** A second call with the same Idempotency-Key header does nothing and gets the first reply. */
  idempotent?: true
  /** May be called by a session that has a step of the sign-in before it: a password of one's own, a second factor. */
  duringSignIn?: true
  /** How many bytes its body may have, where its schema allows far more than anybody sends. */
  maxBodyBytes?: number
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The reply is a file of this media type, streamed, and no JSON. */
  file?: string
  /** Fields that are not in it never leave the server. */
  reply: z.ZodType
}
export type Api = Record<string, Endpoint>

/** An endpoint whose query is a `pageQuery` and whose rows come newest first. */
export type PagedEndpoint = Endpoint & { query: z.ZodType; reply: z.ZodType<{ id: string }[]> }

type Part = 'params' | 'query' | 'body'
/** What a handler receives: each declared part, validated. */
export type ParsedInput<E extends Endpoint> = {
  [P in Part as E[P] extends z.ZodType ? P : never]: z.output<E[P]>
}
/** What a caller sends: each declared part, before validation. */
export type Input<E extends Endpoint> = {
  [P in Part as E[P] extends z.ZodType ? P : never]: z.input<E[P]>
}
export type Reply<E extends Endpoint> = z.output<E['reply']>
