import { PAY_PATH } from '@tatami/contract/online-payment/online-payment'
import { hasSecretsKey, seal, unseal } from '../../accounts/sealed-secrets.ts'

export const STOP_PATH = `${PAY_PATH}/stop`

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(v1\.[\w-]{20,300})$/
const SUBJECT = /^stop autopay ([0-9a-f-]{36})$/

/** A link with which autopay can be stopped without a login. It works as long as the agreement is
 *  open. Nothing is stored: the server reads the agreement's id from the encrypted token. */
export const stopLink = (publicUrl: string, dojoId: string, agreementId: string): string =>
  `${publicUrl}${STOP_PATH}/${dojoId}.${seal(`stop autopay ${agreementId}`)}`

/** Null for a token that this server has not made. */
export function readStopToken(token: string): { dojoId: string; agreementId: string } | null {
  const [, dojoId, sealedSubject] = TOKEN.exec(token) ?? []
  if (dojoId === undefined || sealedSubject === undefined || !hasSecretsKey()) return null
  const agreementId = SUBJECT.exec(unseal(sealedSubject) ?? '')?.[1]
  return agreementId === undefined ? null : { dojoId, agreementId }
}

export const stopNote = (publicUrl: string, dojoId: string, agreementId: string): string =>
  `Stop autopay at any time: ${stopLink(publicUrl, dojoId, agreementId)}`
