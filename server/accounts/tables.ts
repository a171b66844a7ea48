import { END_REASONS } from '@tatami/contract/accounts/accounts'
import { ROLES } from '@tatami/contract/lib/endpoint'
import type { Right } from '@tatami/contract/rights'
import { eq, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { dojos } from '../dojos/tables.ts'
import { createdAt, id, instant } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** The rights with which an owner previews the school. `name` is the person or preset that has
 *  them. */
export type RightsPreview = { name: string; rights: Right[]; class_ids: string[] | null }

/** A session ends this many days after its last use. */
export const IDLE_DAYS = 30

/** Global, because sign-in finds an account by email before the dojo is known. */
export const accounts = pgTable(
  'accounts',
  {
    id: id().primaryKey(),
    email: text().notNull().unique(),
    password_hash: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    dojo_id: uuid().references(() => dojos.id),
    is_active: boolean().notNull(),
    /** True if somebody else set the password. The account's owner must then choose another one at
     *  the next sign-in. */
    must_change_password: boolean().notNull().default(false),
    /** Only for instructors: the last UTC day on which they were logged in. */
    last_seen_on: date(),
    created_at: createdAt(),
  },
  (t) => [
    // Tables of a dojo refer to all three columns. Foreign keys update their copies of the email.
    unique('accounts_person').on(t.dojo_id, t.id, t.email),
    index('accounts_super_admins')
      .on(t.id)
      .where(sql`role = 'super-admin'`),
    check(
      'accounts_super_admin_has_no_dojo',
      sql`(${t.role} = 'super-admin') = (${t.dojo_id} is null)`,
    ),
  ],
)

/** Global, because a request has only a token. We store the SHA-256 of the token. */
export const sessions = pgTable(
  'sessions',
  {
    token_hash: text().primaryKey(),
    id: uuid().notNull().unique().defaultRandom(),
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    device: text(),
    address: text(),
    created_at: createdAt(),
    last_used_at: instant().notNull(),
    /** Staff who are also students or guardians can see what their family sees. */
    is_in_family_view: boolean().notNull().default(false),
    /** Set while an owner previews the school with other rights, without making changes. */
    seen_as: jsonb().$type<RightsPreview>(),
  },
  (t) => [index('sessions_of_account').on(t.account_id)],
)

/** Global. Tells a device why its token no longer works. */
export const endedSessions = pgTable('ended_sessions', {
  token_hash: text().primaryKey(),
  reason: text({ enum: END_REASONS }).notNull(),
  ended_at: instant().notNull(),
})

/** Global, because a passkey is looked up before its account is known. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id().primaryKey(),
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    credential_id: text().notNull().unique(),
    public_key: text().notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    name: text().notNull(),
    created_at: createdAt(),
    last_used_at: instant(),
  },
  (t) => [index('passkeys_of_account').on(t.account_id)],
)

/** Global. A passkey must sign a challenge, which works once. `account_id` is null for a sign-in,
 *  because the account is not known yet. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  challenge: text().primaryKey(),
  account_id: uuid(),
  expires_at: instant().notNull(),
})

/** Global. Secrets of authenticator apps. An app is turned on when its first code is confirmed. */
export const totpSecrets = pgTable('totp_secrets', {
  account_id: uuid()
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  secret: text().notNull(),
  created_at: createdAt(),
  confirmed_at: instant(),
  /** The last accepted time step (RFC 6238). Older ones are refused. */
  last_step: bigint({ mode: 'number' }).notNull().default(0),
})

/** Global. Hashes of codes that each replace the second factor once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    code_hash: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.code_hash] })],
)

/** Global. Failures are counted for every email, so that the limit does not reveal which emails
 *  have an account. */
export const signInFailures = pgTable(
  'sign_in_failures',
  { id: id().primaryKey(), email_hash: text().notNull(), failed_at: instant().notNull() },
  (t) => [index('sign_in_failures_recent').on(t.email_hash, t.failed_at)],
)

/** Global, because links are requested without a sign-in. Only the link's hash is stored. */
export const passwordResets = pgTable(
  'password_resets',
  {
    token_hash: text().primaryKey(),
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    expires_at: instant().notNull(),
  },
  (t) => [index('password_resets_of_account').on(t.account_id)],
)

/** Global. Links that undo a change of email or password. Only their hashes are stored. */
export const accountRecoveries = pgTable(
  'account_recoveries',
  {
    token_hash: text().primaryKey(),
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Orders the changes independently of the servers' clocks. */
    number: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    email: text().notNull(),
    expires_at: instant().notNull(),
  },
  (t) => [index('account_recoveries_of_account').on(t.account_id)],
)

/** Global. Internet addresses from which somebody has signed in to an account. */
export const signInAddresses = pgTable(
  'sign_in_addresses',
  {
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    used_at: instant().notNull(),
    /** Wrong passwords from this address, counted for a day from `failures_since`. */
    failures: integer().notNull().default(0),
    failures_since: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.address] })],
)

export const accountTables: TableRules[] = [
  {
    table: accountRecoveries,
    global: 'opened without a sign-in',
    kept: {
      since: accountRecoveries.expires_at,
      days: 1,
      description: 'Links to recover an account, after they expire',
    },
    hiddenFromOverseer: 'all',
  },
  {
    table: accounts,
    global: 'accounts are looked up by email before a dojo is known',
    exported: {
      name: 'log_ins',
      about: 'Logins of your dojo: email and role, never a password',
      hidden: ['password_hash'],
      where: (dojoId) => eq(accounts.dojo_id, dojoId),
    },
    hiddenFromOverseer: [accounts.password_hash],
  },
  {
    table: endedSessions,
    global: 'a request only has a token',
    kept: {
      since: endedSessions.ended_at,
      days: IDLE_DAYS,
      description: 'Logins that were ended from another device',
    },
    hiddenFromOverseer: 'all',
  },
  {
    table: passkeyChallenges,
    global: 'requested without a sign-in',
    kept: {
      since: passkeyChallenges.expires_at,
      days: 1,
      description: 'Unfinished passkey logins',
    },
    hiddenFromOverseer: 'all',
  },
  { table: passkeys, global: 'looked up before the account is known', hiddenFromOverseer: 'all' },
  {
    table: passwordResets,
    global: 'requested without a sign-in',
    kept: {
      since: passwordResets.expires_at,
      days: 1,
      description: 'Password reset links, after they expire',
    },
    hiddenFromOverseer: 'all',
  },
  {
    table: recoveryCodes,
    global: 'read while signing in, before a dojo is known',
    hiddenFromOverseer: 'all',
  },
  {
    table: sessions,
    global: 'a request only has a token',
    kept: {
      since: sessions.last_used_at,
      days: IDLE_DAYS,
      description:
        'Where you are logged in, with device and internet address, since you last used it',
    },
    hiddenFromOverseer: 'all',
  },
  {
    table: signInAddresses,
    global: 'read while signing in, before a dojo is known',
    kept: {
      since: signInAddresses.used_at,
      days: 180,
      description: 'Internet addresses that you have logged in from, since you last used them',
    },
    hiddenFromOverseer: 'all',
  },
  {
    table: signInFailures,
    global: 'also counted for emails without an account',
    hiddenFromOverseer: 'all',
  },
  {
    table: totpSecrets,
    global: 'read while signing in, before a dojo is known',
    hiddenFromOverseer: 'all',
  },
]
