import { END_REASONS } from '@tatami/contract/accounts/accounts'
import { ROLES } from '@tatami/contract/lib/endpoint'
import { eq, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { dojos } from '../dojos/tables.ts'
import { createdAt, id, instant } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** A session ends this many days after its last use. */
export const IDLE_DAYS = 30

/** Global: sign-in looks accounts up by email before a dojo is known. */
export const accounts = pgTable(
  'accounts',
  {
    id: id().primaryKey(),
    email: text().notNull().unique(),
    password_hash: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    dojo_id: uuid().references(() => dojos.id),
    is_active: boolean().notNull(),
    /** Somebody else set the password: the next sign-in asks for a new one. */
    must_change_password: boolean().notNull().default(false),
    created_at: createdAt(),
  },
  (t) => [
    // A dojo's rows refer to all three, so that a person's email and dojo are the same everywhere.
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

/** Global: a request only brings a token. Only its SHA-256 is kept. */
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
  },
  (t) => [index('sessions_of_account').on(t.account_id)],
)

/** Global: tells a device why its token is dead. */
export const endedSessions = pgTable('ended_sessions', {
  token_hash: text().primaryKey(),
  reason: text({ enum: END_REASONS }).notNull(),
  ended_at: instant().notNull(),
})

/** Global: passkeys are looked up by credential before the account is known. */
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

/** Global: used once. No account while signing in. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  challenge: text().primaryKey(),
  account_id: uuid(),
  expires_at: instant().notNull(),
})

/** Global: secrets shared with authenticator apps, used once confirmed. */
export const totpSecrets = pgTable('totp_secrets', {
  account_id: uuid()
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  secret: text().notNull(),
  created_at: createdAt(),
  confirmed_at: instant(),
  /** The last accepted time step (RFC 6238); older ones are refused. */
  last_step: bigint({ mode: 'number' }).notNull().default(0),
})

/** Global: hashes of single-use codes that replace the second factor. */
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

/** Global: counted for any email, so that nobody learns which have an account. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    id: id().primaryKey(),
    email_hash: text().notNull(),
    failed_at: instant().notNull(),
  },
  (t) => [index('sign_in_failures_recent').on(t.email_hash, t.failed_at)],
)

/** Global: requested without signing in. A link works once; only its hash is kept. */
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

/** Global: links that undo a change of email or password, opened without signing in; only hashes
 *  are kept. */
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

/** Global: addresses from which an account has signed in. */
export const signInAddresses = pgTable(
  'sign_in_addresses',
  {
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    used_at: instant().notNull(),
    failures: integer().notNull().default(0),
    failures_since: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.address] })],
)

export const accountTables: TableRules[] = [
  {
    table: accountRecoveries,
    global: 'opened by somebody who is not signed in',
    kept: {
      since: accountRecoveries.expires_at,
      days: 1,
      description: 'Links to recover an account, after they expire',
    },
    hiddenFromOverseer: 'all',
  },
  {
    table: accounts,
    global: 'who signs in is looked up by e-mail before a dojo is known',
    exported: {
      name: 'log_ins',
      about: 'Logins of your dojo: email and role, never a password',
      hidden: ['password_hash'],
      where: (dojo) => eq(accounts.dojo_id, dojo),
    },
    hiddenFromOverseer: [accounts.password_hash],
  },
  {
    table: endedSessions,
    global: 'a token is all that a request brings',
    kept: {
      since: endedSessions.ended_at,
      days: IDLE_DAYS,
      description: 'Sessions that were ended from elsewhere',
    },
    hiddenFromOverseer: 'all',
  },
  {
    table: passkeyChallenges,
    global: 'asked for by somebody who is not signed in',
    kept: {
      since: passkeyChallenges.expires_at,
      days: 1,
      description: 'Unfinished passkey logins',
    },
    hiddenFromOverseer: 'all',
  },
  {
    table: passkeys,
    global: 'a credential is all that a sign-in brings',
    hiddenFromOverseer: 'all',
  },
  {
    table: passwordResets,
    global: 'asked for by somebody who is not signed in',
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
    global: 'a token is all that a request brings',
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
      description: 'Internet addresses you have logged in from, since the last time',
    },
    hiddenFromOverseer: 'all',
  },
  {
    table: signInFailures,
    global: 'guesses count for e-mails that have no account, too',
    hiddenFromOverseer: 'all',
  },
  {
    table: totpSecrets,
    global: 'read while signing in, before a dojo is known',
    hiddenFromOverseer: 'all',
  },
]
