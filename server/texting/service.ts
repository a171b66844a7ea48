import { SERVICE_ERROR_MESSAGES } from '@tatami/contract/message-types'
import { toDataURL } from 'qrcode'
import { instructorName } from '../accounts/instructors.ts'
import type { Tx } from '../db/database.ts'
import type { Member } from '../http/serve.ts'
import { SendFailure } from './providers/provider.ts'
import type { Watched } from './watch-provider.ts'

const SETUP_PATH = '/sms-setup'

/** What the last check or send found of the text service, for the instructor who asks. */
export async function serviceStatus(tx: Tx, caller: Member, { provider, found }: Watched) {
  const { state, error } = found()
  return {
    status: state,
    connected: state === 'ready',
    user: { name: await instructorName(tx, caller.id) },
    instructorId: caller.id,
    phone_number: provider.from,
    service: provider.service,
    error,
  }
}

/** Asks the provider itself whether texts can go out. */
export async function checkService({ provider, found }: Watched) {
  try {
    await provider.check()
    return {
      success: true,
      message:
        provider.service === 'simulator' ? 'The simulator is ready. No real texts leave this machine.' : 'The text service is ready.',
    }
  } catch (failure) {
    if (!(failure instanceof SendFailure)) throw failure
    const { error, errorType } = found()
    return { success: false, error: error ?? SERVICE_ERROR_MESSAGES.initialization, error_type: errorType ?? ('initialization' as const) }
  }
}

/** While the service is not connected, a QR code of the set-up page, to go on with the phone in one's hand. */
export async function setupQr(tx: Tx, caller: Member, watched: Watched, publicUrl: string) {
  const { status, connected, user } = await serviceStatus(tx, caller, watched)
  return { qr: connected ? null : await toDataURL(`${publicUrl}${SETUP_PATH}`, { margin: 1, width: 320 }), status, connected, user }
}
