import type { z } from 'zod'

export const ROLES = ['student', 'guardian', 'instructor', 'super-admin'] as const
export type Role = (typeof ROLES)[number]
/** An account's role, or a kiosk, which has no account. */
export const CALLER_ROLES = [...ROLES, 'kiosk'] as const
export type CallerRole = (typeof CALLER_ROLES)[number]

/** The server checks this before it looks at the body. */
export type Access =
  | 'public'
  | 'signed-in'
  | 'member'
  | 'staff'
  | 'kiosk'
  | Exclude<Role, 'guardian'>

/** A member belongs to a dojo; staff run one or all. */
export const ROLES_BY_ACCESS = {
  'signed-in': ROLES,
  member: ['student', 'guardian', 'instructor'],
  staff: ['instructor', 'super-admin'],
  student: ['student'],
  instructor: ['instructor'],
  'super-admin': ['super-admin'],
  kiosk: ['kiosk'],
} as const satisfies Record<Exclude<Access, 'public'>, readonly CallerRole[]>

/** Kinds of calls that are limited per address. */
export type Throttle = 'sign-in' | 'registration' | 'consent'

/** One call of the API as data: the server mounts it, the client calls it, tests iterate over it,
 *  and the API reference shows it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  access: Access
  summary: string
  throttle?: Throttle
  /** Polled by every open page: the response has an ETag, and is 304 while nothing changed. */
  polled?: true
  /** A second call with the same Idempotency-Key gets the first reply. */
  idempotent?: true
  /** Allowed while a sign-in step (own password, second factor) is pending. */
  duringSignIn?: true
  /** Set if the schema allows far more than anybody sends. */
  maxBodyBytes?: number
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The media type, if the reply is a streamed file. */
  file?: string
  /** Other fields never leave the server. */
  reply: z.ZodType
}
export type Api = Record<string, Endpoint>

export type PagedEndpoint = Endpoint & { query: z.ZodType; reply: z.ZodType<{ id: string }[]> }

type InputPart = 'params' | 'query' | 'body'
export type ParsedInput<E extends Endpoint> = {
  [P in InputPart as E[P] extends z.ZodType ? P : never]: z.output<E[P]>
}
export type Input<E extends Endpoint> = {
  [P in InputPart as E[P] extends z.ZodType ? P : never]: z.input<E[P]>
}
export type Reply<E extends Endpoint> = z.output<E['reply']>
