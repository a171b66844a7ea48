import type { SetupObstacle } from '@tatami/contract/texting/texting-account'
import { hasSecretsKey, unseal } from '../../accounts/sealed-secrets.ts'
import type { Database, Tx } from '../../db/database.ts'
import { buildStatusUrl } from '../callback-urls.ts'
import { type OwnAccount, readOwnAccount } from '../own-account.ts'
import { type Provider, SendFailure, WRONG_CREDENTIALS } from './provider.ts'
import { createTwilioProvider } from './twilio.ts'

type Settings = {
  publicUrl: string
  smsProvider?: 'twilio' | 'simulator' | 'none' | undefined
  twilioApiUrl?: string | undefined
}
type Sender = Pick<OwnAccount, 'account_sid' | 'from_number' | 'messaging_service_sid'>

/** Providers of the dojos that have their own Twilio account. */
export type OwnAccounts = {
  findObstacle: () => SetupObstacle | null
  /** Reuses the provider and its connections until the account changes. */
  providerOf: (dojoId: string, account: Sender & { sealed_token: string }) => Provider
  /** For an account that is not saved yet. */
  createProvider: (dojoId: string, account: Sender, authToken: string) => Provider
}

export function createOwnAccounts({
  publicUrl,
  smsProvider = 'twilio',
  twilioApiUrl,
}: Settings): OwnAccounts {
  const providers = new Map<string, { provider: Provider; credentials: string }>()
  const createProvider = (
    dojoId: string,
    { account_sid, from_number, messaging_service_sid }: Sender,
    authToken: string,
  ) =>
    createTwilioProvider({
      accountSid: account_sid,
      isOwn: true,
      authToken,
      from: from_number ?? undefined,
      messagingServiceSid: messaging_service_sid ?? undefined,
      apiUrl: twilioApiUrl,
      statusCallback: buildStatusUrl(publicUrl, dojoId),
    })
  return {
    createProvider,
    findObstacle: () => {
      if (smsProvider !== 'twilio') return 'sms_provider'
      return hasSecretsKey() ? null : 'no_secrets_key'
    },
    providerOf: (dojoId, account) => {
      const { account_sid, sealed_token, from_number, messaging_service_sid } = account
      const authToken = unseal(sealed_token)
      if (authToken === null) return createFailingProvider(account)
      const credentials = JSON.stringify([
        account_sid,
        sealed_token,
        from_number,
        messaging_service_sid,
      ])
      const cachedProvider = providers.get(dojoId)
      if (cachedProvider?.credentials === credentials) return cachedProvider.provider
      const provider = createProvider(dojoId, account, authToken)
      providers.set(dojoId, { provider, credentials })
      return provider
    },
  }
}

const describeUnreadableToken = () =>
  hasSecretsKey()
    ? 'This server can no longer read your auth token. Please enter the auth token again.'
    : 'This server can no longer read your auth token, because its SECRETS_KEY is missing.'

/** For an auth token that was encrypted with another SECRETS_KEY: every call fails. */
function createFailingProvider({ account_sid, from_number }: Sender): Provider {
  const fail = () =>
    Promise.reject(
      new SendFailure('unavailable', describeUnreadableToken(), {
        code: WRONG_CREDENTIALS,
        status: 401,
      }),
    )
  return {
    service: 'twilio_sms',
    accountSid: account_sid,
    from: from_number,
    hasCallbacks: true,
    send: fail,
    findSent: fail,
    fetchStatus: fail,
    check: fail,
  }
}

/** Corrects the stored state if the token can no longer be read, because SECRETS_KEY has changed
 *  or is missing. */
export const withCurrentState = (account: OwnAccount): OwnAccount =>
  unseal(account.sealed_token) === null
    ? { ...account, state: 'wrong_credentials', error: describeUnreadableToken() }
    : account

export type OwnService = { account: OwnAccount; provider: Provider }

/** Null if the dojo uses the server's service, as all dojos do unless SMS_PROVIDER is Twilio. */
export async function findOwnService(
  tx: Tx,
  ownAccounts: OwnAccounts,
  dojoId: string,
): Promise<OwnService | null> {
  if (ownAccounts.findObstacle() === 'sms_provider') return null
  const account = await readOwnAccount(tx)
  if (!account) return null
  return { account: withCurrentState(account), provider: ownAccounts.providerOf(dojoId, account) }
}

type AddressedText = { dojo_id: string; account_sid: string | null }

/** Finds the provider that claimed the text. Null if the dojo has switched accounts since then. */
export async function findProviderOfText(
  db: Database,
  serverProvider: Provider,
  ownAccounts: OwnAccounts,
  { dojo_id, account_sid }: AddressedText,
): Promise<Provider | null> {
  if (account_sid === null || ownAccounts.findObstacle() === 'sms_provider') return serverProvider
  const ownService = await db.inDojo(dojo_id, (tx) => findOwnService(tx, ownAccounts, dojo_id))
  return ownService?.account.account_sid === account_sid ? ownService.provider : null
}
