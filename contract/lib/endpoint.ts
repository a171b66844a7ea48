import type { z } from 'zod'
import type { NeededRight } from '../needed-rights.ts'

export const ROLES = ['student', 'guardian', 'instructor', 'super-admin'] as const
export type Role = (typeof ROLES)[number]
/** The roles of accounts, and the kiosk, which has no account. */
export const CALLER_ROLES = [...ROLES, 'kiosk'] as const
export type CallerRole = (typeof CALLER_ROLES)[number]

/** Who may call an endpoint. The server checks this before it reads the body. */
export type Access =
  | 'public'
  | 'signed-in'
  | 'member'
  | 'staff'
  | 'kiosk'
  | Exclude<Role, 'guardian'>

/** A member belongs to a dojo. Staff run one dojo or the whole server. */
export const ROLES_BY_ACCESS = {
  'signed-in': ROLES,
  member: ['student', 'guardian', 'instructor'],
  staff: ['instructor', 'super-admin'],
  student: ['student'],
  instructor: ['instructor'],
  'super-admin': ['super-admin'],
  kiosk: ['kiosk'],
} as const satisfies Record<Exclude<Access, 'public'>, readonly CallerRole[]>

/** Groups of endpoints. Calls from one IP address are limited per group. */
export type Throttle = 'sign-in' | 'registration' | 'consent'

/** Calls that admit staff of a school say which right they need. */
type Authorization =
  | { access: StaffAccess; right: NeededRight }
  | { access: Exclude<Access, StaffAccess>; right?: undefined }
type StaffAccess = 'member' | 'staff' | 'instructor'

/** An API call as data: the server mounts it, the client calls it, tests and docs list it. */
export type Endpoint = Authorization & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  summary: string
  throttle?: Throttle
  /** Called repeatedly while a page is open. The reply has an ETag, or is a 304 if nothing changed. */
  polled?: true
  /** A call that is repeated with the same Idempotency-Key gets the first reply. */
  idempotent?: true
  /** Allowed while the session still has sign-in steps to do (see `SIGN_IN_STEPS`). */
  duringSignIn?: true
  /** Changes nothing, although it is not a GET. */
  readOnly?: true
  /** Allowed while an owner views the school as somebody else. All other writes are refused then. */
  duringPreview?: true
  /** Limits the body if the schema allows far more than anybody sends. */
  maxBodyBytes?: number
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The media type, if the reply is a streamed file. */
  file?: string
  /** The server removes all fields that are not in this schema. */
  reply: z.ZodType
}
export type Api = Record<string, Endpoint>

export type PagedEndpoint = Endpoint & { query: z.ZodType; reply: z.ZodType<{ id: string }[]> }

type InputPart = 'params' | 'query' | 'body'
export type ParsedInput<Call extends Endpoint> = {
  [Part in InputPart as Call[Part] extends z.ZodType ? Part : never]: z.output<Call[Part]>
}
export type Input<Call extends Endpoint> = {
  [Part in InputPart as Call[Part] extends z.ZodType ? Part : never]: z.input<Call[Part]>
}
export type Reply<Call extends Endpoint> = z.output<Call['reply']>
