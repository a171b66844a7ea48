import type { Database, Tx } from '../db/database.ts'
import { sql } from 'drizzle-orm'
import { hasSecretsKey, unseal } from '../accounts/sealed-secrets.ts'
import type { Email } from '../lib/mail.ts'
import { sha256 } from '../lib/secrets.ts'
import { Refusal } from '../lib/refusal.ts'
import { firstRow } from '../lib/rows.ts'
import type { Provider } from './provider.ts'
import { createSimulator } from './simulator/simulator.ts'
import { createStripeProvider, type TestPayments } from './stripe.ts'
import { stripeAccounts } from './tables.ts'

export type StripeAccountRow = typeof stripeAccounts.$inferSelect

export async function readStripeAccount(tx: Tx): Promise<StripeAccountRow | null> {
  const [account] = await tx.select().from(stripeAccounts)
  return account ?? null
}

export type OnlinePaymentContext = {
  db: Database
  publicUrl: string
  createProvider: (secretKey: string) => Provider
  /** Call it after the commit. */
  sendEmail: (email: Email) => void
}

type StripeSettings = {
  publicUrl: string
  stripeApiUrl?: string | undefined
  stripeTestPayments?: TestPayments | undefined
}

export const createContext = (
  db: Database,
  { publicUrl, stripeApiUrl, stripeTestPayments }: StripeSettings,
  sendEmail: OnlinePaymentContext['sendEmail'] = () => {},
): OnlinePaymentContext => ({
  db,
  publicUrl,
  sendEmail,
  createProvider: (secretKey) => createStripeProvider(secretKey, stripeApiUrl, stripeTestPayments),
})

/** Differs in a copy of the database on another PostgreSQL server or for another address. */
export async function readServerIdentity(tx: Tx, publicUrl: string): Promise<string> {
  const { rows } = await tx.execute<{ identity: string }>(sql`
    select system_identifier::text || '|' || current_database() as identity
    from pg_control_system()`)
  return sha256(`${firstRow(rows).identity}|${publicUrl}`)
}

/** The account at Stripe, or the simulator. Null if online payment is off, or if the database was
 *  restored or copied. */
export async function findAccount(tx: Tx, publicUrl: string): Promise<StripeAccountRow | null> {
  const account = await readStripeAccount(tx)
  if (!account) return null
  return account.server_identity === (await readServerIdentity(tx, publicUrl)) ? account : null
}

/** Null like `findAccount`, and for the simulator, of which families see nothing. */
export async function findUsableAccount(
  tx: Tx,
  publicUrl: string,
): Promise<StripeAccountRow | null> {
  const account = await findAccount(tx, publicUrl)
  return account?.is_simulated ? null : account
}

/** Null like `findAccount`, and if the server's SECRETS_KEY has changed. */
export async function findProvider(
  tx: Tx,
  { db, publicUrl, createProvider }: OnlinePaymentContext,
): Promise<Provider | null> {
  const account = await findAccount(tx, publicUrl)
  if (!account) return null
  if (account.is_simulated) return createSimulator(db, account.dojo_id, publicUrl)
  const secretKey = readSecretKey(account)
  return secretKey === null ? null : createProvider(secretKey)
}

/** 409 if online payment is off. */
export async function requireProvider(
  tx: Tx,
  context: OnlinePaymentContext,
  message: string,
): Promise<Provider> {
  const provider = await findProvider(tx, context)
  if (!provider) throw new Refusal(409, message)
  return provider
}

export const NOT_SET_UP = 'Online payment is not set up yet.'

/** Null if it was encrypted with another SECRETS_KEY. */
export const readSecretKey = ({ sealed_key }: StripeAccountRow): string | null =>
  hasSecretsKey() ? unseal(sealed_key) : null
