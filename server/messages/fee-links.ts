import { type BatchKind, isFeeMessage, isReminder } from '@tatami/contract/texting/message-types'
import type { Tx } from '../db/database.ts'
import { createLinksOfStudents, readSampleLink } from '../online-payment/pay-links.ts'
import type { Recipient } from './recipients.ts'

/** Student id → the link at the end of a text about fees. Empty if the school takes no online
 *  payments. */
export type FeeLinks = ReadonlyMap<string, string>
export const NO_LINKS: FeeLinks = new Map()

export const isAboutFees = (kind: BatchKind): boolean => isFeeMessage(kind) || isReminder(kind)

export async function createFeeLinks(
  tx: Tx,
  dojoId: string,
  kind: BatchKind,
  recipients: readonly Pick<Recipient, 'id' | 'phones'>[],
): Promise<FeeLinks> {
  if (!isAboutFees(kind)) return NO_LINKS
  const textedRecipients = recipients.filter(({ phones }) => phones.length > 0)
  return createLinksOfStudents(
    tx,
    dojoId,
    textedRecipients.map(({ id }) => id),
  )
}

/** Creates links for a preview, which look like real ones but do not open a page. */
export async function createSampleLinks(
  tx: Tx,
  kind: BatchKind,
  recipients: readonly Pick<Recipient, 'id'>[],
): Promise<FeeLinks> {
  const sampleLink = isAboutFees(kind) ? await readSampleLink(tx) : null
  if (sampleLink === null) return NO_LINKS
  return new Map(recipients.map(({ id }) => [id, sampleLink]))
}

/** Adds links to texts that are composed again because their students or phones changed. */
export async function withFeeLinks<Row extends { student_id: string | null }>(
  tx: Tx,
  dojoId: string,
  kind: BatchKind,
  rows: readonly Row[],
): Promise<(Row & { payLink: string | null })[]> {
  const studentIds = new Set(rows.flatMap(({ student_id }) => student_id ?? []))
  const links = isAboutFees(kind)
    ? await createLinksOfStudents(tx, dojoId, [...studentIds])
    : NO_LINKS
  return rows.map((row) => ({ ...row, payLink: links.get(row.student_id ?? '') ?? null }))
}
