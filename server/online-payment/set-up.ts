import {
  isLiveKey,
  type OnlinePaymentSetup,
  STRIPE_PERMISSIONS,
  type StripeAccount,
  type StripeAccountForm,
} from '@tatami/contract/online-payment/online-payment'
import { toDollars } from '@tatami/contract/lib/money'
import { eq } from 'drizzle-orm'
import { confirmCallerPassword } from '../accounts/confirm-owner.ts'
import { findInstructorName } from '../accounts/instructors.ts'
import { hasSecretsKey, seal } from '../accounts/sealed-secrets.ts'
import { auditAction } from '../audit/audit.ts'
import { currentDojoId, newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { isReachable } from '../lib/reachable.ts'
import { findAgreementsOfMode, tellAboutPause, tellAboutReturn } from './autopay/pause-notices.ts'
import { endOpenCheckouts } from './checkout.ts'
import { endTestMode } from './end-test-mode.ts'
import { readPendingCents } from './live-lines.ts'
import { type Provider, ProviderFailure } from './provider.ts'
import {
  type OnlinePaymentContext,
  readSecretKey,
  readServerIdentity,
  readStripeAccount,
  type StripeAccountRow,
} from './stripe-account.ts'
import { stripeAccounts } from './tables.ts'
import { webhookUrl } from './webhook-url.ts'

export type SetUpContext = OnlinePaymentContext & { failedSignIns: number }

/** Leaves out the key: no call ever returns it. */
export async function readSetUp(tx: Tx, { publicUrl }: SetUpContext): Promise<OnlinePaymentSetup> {
  const account = await readStripeAccount(tx)
  const identity = account && (await readServerIdentity(tx, publicUrl))
  return {
    account: account && (await describeAccount(tx, account)),
    can_store_keys: hasSecretsKey(),
    awaits_confirmation: account !== null && account.server_identity !== identity,
    ...(await readWhatRuns(tx, account)),
  }
}

/** What somebody should know before they turn off online payment. */
async function readWhatRuns(
  tx: Tx,
  account: StripeAccountRow | null,
): Promise<Pick<OnlinePaymentSetup, 'on_its_way' | 'autopay_payers'>> {
  const agreements = account ? await findAgreementsOfMode(tx, account.is_live) : []
  return {
    on_its_way: toDollars(sumOfValues(await readPendingCents(tx))),
    autopay_payers: agreements.length,
  }
}

const sumOfValues = (cents: ReadonlyMap<string, number>): number =>
  [...cents.values()].reduce((sum, value) => sum + value, 0)

async function describeAccount(tx: Tx, account: StripeAccountRow): Promise<StripeAccount> {
  const { key_ending, is_live, is_unrestricted, is_simulated, state } = account
  const isUnreadable = !is_simulated && readSecretKey(account) === null
  return {
    ...{ key_ending, is_live, is_unrestricted, is_simulated, state },
    error: isUnreadable ? UNREADABLE_KEY : account.error,
    missing_permissions: STRIPE_PERMISSIONS.filter((permission) =>
      account.missing_permissions.includes(permission),
    ),
    has_webhook: account.webhook_id !== null,
    checked_at: account.checked_at,
    changed_at: account.changed_at,
    changed_by: await findInstructorName(tx, account.changed_by),
  }
}

const UNREADABLE_KEY = 'This server can no longer read your Stripe key. Please enter the key again.'

const NO_SECRETS_KEY =
  'This server cannot store your key safely yet. Ask the person who runs it to set SECRETS_KEY.'

/** Asks Stripe first. If Stripe does not accept the key, nothing changes. */
export async function saveAccount(
  context: SetUpContext,
  caller: DojoCaller,
  { secret_key, current_password }: StripeAccountForm,
): Promise<OnlinePaymentSetup> {
  const { db, publicUrl, failedSignIns } = context
  if (!hasSecretsKey()) throw new Refusal(409, NO_SECRETS_KEY)
  await confirmCallerPassword(db, caller, current_password, failedSignIns)
  const formerAccount = await db.inDojo(caller.dojoId, readStripeAccount)
  if (formerAccount?.is_live && !isLiveKey(secret_key)) throw new Refusal(409, NO_TEST_KEY)
  const provider = context.createProvider(secret_key)
  const missing_permissions = await checkKey(provider)
  const webhook = await registerWebhook(provider, publicUrl, caller.dojoId)
  const { setUp, emails } = await db.inDojo(caller.dojoId, async (tx) => {
    const account = {
      sealed_key: seal(secret_key),
      key_ending: `${secret_key.slice(0, 8)}…${secret_key.slice(-4)}`,
      is_live: isLiveKey(secret_key),
      is_unrestricted: secret_key.startsWith('sk_'),
      is_simulated: false,
      state: 'ready' as const,
      error: null,
      missing_permissions,
      webhook_id: webhook?.id ?? null,
      sealed_webhook_secret: webhook ? seal(webhook.secret) : null,
      public_url: publicUrl,
      server_identity: await readServerIdentity(tx, publicUrl),
      next_poll_at: nowIso(),
      polled_until: null,
      checked_at: nowIso(),
      changed_by: caller.id,
      changed_at: nowIso(),
    }
    await tx
      .insert(stripeAccounts)
      .values(account)
      .onConflictDoUpdate({ target: stripeAccounts.dojo_id, set: account })
    await auditAction(tx, caller, 'Stripe account saved')
    const endsTest = account.is_live || formerAccount?.is_simulated
    const testEmails = endsTest ? await endTestMode(tx, caller.dojoId) : []
    const mode = { isLive: account.is_live, publicUrl }
    const returnEmails = formerAccount ? [] : await tellAboutReturn(tx, caller.dojoId, mode)
    return { emails: [...testEmails, ...returnEmails], setUp: await readSetUp(tx, context) }
  })
  emails.forEach(context.sendEmail)
  await removeWebhook(context, formerAccount)
  return setUp
}

const NO_TEST_KEY =
  'This is a test key, but families pay with your live key. To test, turn off online payment first.'

const HAS_KEY = 'Your school already has a key.'

/** Families see nothing of it: it is only for pay links that staff open themselves. */
export async function startSimulation(
  tx: Tx,
  context: SetUpContext,
  caller: DojoCaller,
): Promise<OnlinePaymentSetup> {
  const startedRows = await tx
    .insert(stripeAccounts)
    .values({
      sealed_key: '',
      key_ending: '',
      is_live: false,
      is_unrestricted: false,
      is_simulated: true,
      state: 'ready',
      server_identity: await readServerIdentity(tx, context.publicUrl),
      changed_by: caller.id,
      changed_at: nowIso(),
    })
    .onConflictDoNothing()
    .returning({ is_simulated: stripeAccounts.is_simulated })
  if (startedRows.length > 0) await auditAction(tx, caller, 'online payment tried out')
  else if (!(await readStripeAccount(tx))?.is_simulated) throw new Refusal(409, HAS_KEY)
  return readSetUp(tx, context)
}

const NO_RESPONSE =
  'Stripe did not respond, so nothing was saved. Please try again in a few minutes.'

async function checkKey(provider: Provider): Promise<string[]> {
  try {
    return await provider.findMissingPermissions()
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure
    if (failure.kind === 'wrong_key')
      throw invalid('secret_key', 'Stripe does not accept this key. Copy it again.')
    throw new Refusal(409, NO_RESPONSE)
  }
}

/** Null if Stripe cannot reach this server, or if the key may not register webhooks. */
async function registerWebhook(provider: Provider, publicUrl: string, dojoId: string) {
  if (!isReachable(publicUrl)) return null
  try {
    return await provider.registerWebhook(
      `tatami/webhook/${newId()}`,
      webhookUrl(publicUrl, dojoId),
    )
  } catch (failure) {
    if (failure instanceof ProviderFailure) return null
    throw failure
  }
}

/** A webhook that stays at Stripe does no harm: its events are refused. */
async function removeWebhook(
  { createProvider }: SetUpContext,
  account: StripeAccountRow | null,
): Promise<void> {
  const secretKey = account && readSecretKey(account)
  if (!account?.webhook_id || !secretKey) return
  try {
    await createProvider(secretKey).removeWebhook(account.webhook_id)
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure
  }
}

/** Nobody can pay on an open page of Stripe anymore. Bank debits that are on their way stay listed,
 *  and are recorded if a key of the same account comes back. */
export async function removeAccount(
  context: SetUpContext,
  caller: DojoCaller,
  password: string | undefined,
): Promise<OnlinePaymentSetup> {
  const { db, publicUrl, failedSignIns } = context
  await confirmCallerPassword(db, caller, password, failedSignIns)
  const account = await db.inDojo(caller.dojoId, readStripeAccount)
  if (!account) throw notFound('Stripe account')
  await endOpenCheckouts(context, caller.dojoId)
  await removeWebhook(context, account)
  const { setUp, emails } = await db.inDojo(caller.dojoId, async (tx) => {
    if (account.is_simulated) await endTestMode(tx, caller.dojoId)
    const deletedRows = await tx.delete(stripeAccounts).returning()
    if (deletedRows.length === 0) throw notFound('Stripe account')
    await auditAction(tx, caller, 'Stripe account removed')
    const mode = { isLive: account.is_live, publicUrl }
    const pauseEmails = await tellAboutPause(tx, caller.dojoId, mode)
    return { emails: pauseEmails, setUp: await readSetUp(tx, context) }
  })
  emails.forEach(context.sendEmail)
  return setUp
}

/** After a restore: the owner says that this server may take payments. */
export async function confirmServer(
  context: SetUpContext,
  caller: DojoCaller,
  password: string | undefined,
): Promise<OnlinePaymentSetup> {
  const { db, publicUrl, failedSignIns } = context
  await confirmCallerPassword(db, caller, password, failedSignIns)
  return db.inDojo(caller.dojoId, async (tx) => {
    const server_identity = await readServerIdentity(tx, publicUrl)
    const confirmedRows = await tx
      .update(stripeAccounts)
      .set({ server_identity, public_url: publicUrl })
      .where(eq(stripeAccounts.dojo_id, currentDojoId))
      .returning()
    if (confirmedRows.length === 0) throw notFound('Stripe account')
    await auditAction(tx, caller, 'online payment confirmed')
    return readSetUp(tx, context)
  })
}
