import { testText } from '@tatami/contract/texting/message-types'
import {
  MESSAGING_SERVICE_SID,
  type SetupObstacle,
  type TextingAccount,
  type TextingAccountForm,
  type TextingSetup,
} from '@tatami/contract/texting/texting-account'
import { confirmCallerPassword } from '../accounts/confirm-owner.ts'
import { findInstructorName, findInstructorPhone } from '../accounts/instructors.ts'
import { seal, unseal } from '../accounts/sealed-secrets.ts'
import { auditAction } from '../audit/audit.ts'
import type { Database, Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { SUCCESS, type DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { queueBatch } from './batches.ts'
import { buildReplyUrl } from './callback-urls.ts'
import { enqueueDojo } from './delivery/queue.ts'
import { forgetOwnNumberOptIns } from './opt-outs.ts'
import { accountStateAfterFailure, type OwnAccount, readOwnAccount } from './own-account.ts'
import { withCurrentState, findOwnService } from './providers/own-accounts.ts'
import { type Provider, SendFailure, type ServiceDetails } from './providers/provider.ts'
import type { Texting } from './service.ts'
import { textingAccounts } from './tables.ts'

export type SetUpContext = {
  db: Database
  texting: Texting
  publicUrl: string
  failedSignIns: number
}

/** Leaves out the auth token: no call ever returns it. */
export async function readSetUp(
  tx: Tx,
  { texting: { server, ownAccounts }, publicUrl }: SetUpContext,
  caller: DojoCaller,
): Promise<TextingSetup> {
  const account = await readOwnAccount(tx)
  const reply_url = buildReplyUrl(publicUrl, caller.dojoId)
  return {
    account: account && (await describeAccount(tx, withCurrentState(account), reply_url)),
    obstacle: ownAccounts.findObstacle(),
    server_service: server.provider.service,
    reply_url,
    test_phone: await findInstructorPhone(tx, caller.id),
  }
}

async function describeAccount(
  tx: Tx,
  account: OwnAccount,
  expectedReplyUrl: string | null,
): Promise<TextingAccount> {
  const { from_number, messaging_service_sid, reply_url, changed_by } = account
  return {
    account_sid: account.account_sid,
    sender: from_number ?? messaging_service_sid ?? '',
    state: account.state,
    error: account.error,
    is_trial: account.is_trial,
    gets_replies: reply_url !== null && reply_url === expectedReplyUrl,
    checked_at: account.checked_at,
    changed_at: account.changed_at,
    changed_by: await findInstructorName(tx, changed_by),
  }
}

const OBSTACLE_MESSAGES: Record<SetupObstacle, string> = {
  no_secrets_key:
    'This server cannot store your auth token safely yet. Ask the person who runs it to set ' +
    'SECRETS_KEY.',
  sms_provider: 'The person who runs this server has chosen a text service for all schools.',
}

/** Checks the account with Twilio first. Unless Twilio confirms it, nothing changes. */
export async function saveAccount(
  context: SetUpContext,
  caller: DojoCaller,
  form: TextingAccountForm,
): Promise<TextingSetup> {
  const { db, texting, failedSignIns } = context
  const { dojoId } = caller
  const obstacle = texting.ownAccounts.findObstacle()
  if (obstacle) throw new Refusal(409, OBSTACLE_MESSAGES[obstacle])
  await confirmCallerPassword(db, caller, form.current_password, failedSignIns)
  const savedAccount = await db.inDojo(dojoId, readOwnAccount)
  const account = { account_sid: form.account_sid, ...parseSender(form.sender) }
  const authToken = form.auth_token ?? unsealSavedToken(savedAccount, form.account_sid)
  const provider = texting.ownAccounts.createProvider(dojoId, account, authToken)
  const { isTrial, replyUrl: reply_url } = await checkBeforeSaving(provider)
  const sealed_token = seal(authToken)
  return db.inDojo(dojoId, async (tx) => {
    await storeAccount(tx, caller, { ...account, sealed_token, is_trial: isTrial, reply_url })
    await auditAction(tx, caller, 'own texting account saved')
    await enqueueDojo(tx, dojoId)
    return readSetUp(tx, context, caller)
  })
}

function parseSender(sender: string): Pick<OwnAccount, 'from_number' | 'messaging_service_sid'> {
  if (MESSAGING_SERVICE_SID.test(sender))
    return { from_number: null, messaging_service_sid: sender }
  const from_number = validPhone(sender)
  if (from_number === null)
    throw invalid('sender', 'Enter a phone number, or a messaging service SID that starts with MG')
  return { from_number, messaging_service_sid: null }
}

function unsealSavedToken(account: OwnAccount | null, accountSid: string): string {
  const token = account?.account_sid === accountSid ? unseal(account.sealed_token) : null
  if (token === null) throw invalid('auth_token', 'Auth token is required')
  return token
}

async function checkBeforeSaving(provider: Provider): Promise<ServiceDetails> {
  try {
    return await provider.check()
  } catch (failure) {
    if (failure instanceof SendFailure) throw toRefusal(failure)
    throw failure
  }
}

const NO_RESPONSE =
  'Twilio did not respond, so nothing was saved, and nothing changes for your texts. Please try ' +
  'again in a few minutes.'

function toRefusal(failure: SendFailure): Refusal {
  const state = accountStateAfterFailure(failure)
  if (state === 'unchecked') return new Refusal(409, NO_RESPONSE)
  if (state === 'wrong_credentials')
    return invalid(
      'auth_token',
      'Twilio does not accept this Account SID with this auth token. Copy both again.',
    )
  if (state === 'paused')
    return invalid('account_sid', 'Twilio has suspended this account. Twilio can tell you why.')
  return invalid('sender', failure.message)
}

type NewAccount = Pick<
  OwnAccount,
  | 'account_sid'
  | 'sealed_token'
  | 'from_number'
  | 'messaging_service_sid'
  | 'is_trial'
  | 'reply_url'
>

/** The new account starts at the full sending rate, even if Twilio had slowed down the old one. */
async function storeAccount(tx: Tx, { id }: DojoCaller, account: NewAccount): Promise<void> {
  const row = {
    ...account,
    state: 'ready' as const,
    error: null,
    checked_at: nowIso(),
    changed_by: id,
    changed_at: nowIso(),
    next_at: nowIso(),
    share: 1,
    slowed_at: nowIso(),
  }
  await tx
    .insert(textingAccounts)
    .values(row)
    .onConflictDoUpdate({ target: textingAccounts.dojo_id, set: row })
}

/** Texts that are still waiting will go through the server's service. */
export async function removeAccount(
  context: SetUpContext,
  caller: DojoCaller,
  password: string | undefined,
): Promise<TextingSetup> {
  const { db, failedSignIns } = context
  await confirmCallerPassword(db, caller, password, failedSignIns)
  return db.inDojo(caller.dojoId, async (tx) => {
    const removedAccounts = await tx.delete(textingAccounts).returning()
    if (removedAccounts.length === 0) throw notFound('Twilio account')
    await forgetOwnNumberOptIns(tx)
    await auditAction(tx, caller, 'own texting account removed')
    await enqueueDojo(tx, caller.dojoId)
    return readSetUp(tx, context, caller)
  })
}

const NO_OWN_PHONE = 'Add your mobile number to your profile first.'

/** Texts only the caller. The text counts toward the daily limit. */
export async function sendTestText(tx: Tx, { texting }: SetUpContext, caller: DojoCaller) {
  const { dojoId } = caller
  const ownService = await findOwnService(tx, texting.ownAccounts, dojoId)
  if (ownService?.account.error && ownService.account.state !== 'not_registered')
    throw new Refusal(409, ownService.account.error)
  const phone = await findInstructorPhone(tx, caller.id)
  if (phone === null) throw new Refusal(409, NO_OWN_PHONE)
  const { name } = await dojoById(tx, dojoId)
  const text = testText(name)
  const batch_id = await queueBatch(tx, dojoId, {
    kind: 'test',
    text,
    texts: [{ phone, text, students: [] }],
  })
  return { ...SUCCESS, batch_id, phone_number: phone }
}
