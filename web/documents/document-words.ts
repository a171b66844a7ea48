import type {
  DocumentKind,
  DueTime,
  Purpose,
  Signer,
} from '@tatami/contract/documents/document-form'
import type { DocumentSummary } from '@tatami/contract/documents/documents'
import type { SigningChannel, SigningState } from '@tatami/contract/documents/signatures'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

export const KIND_NAMES: Record<DocumentKind, string> = {
  waiver: 'Waiver',
  agreement: 'Agreement',
  policy: 'Policy',
  medical: 'Medical form',
  photo: 'Photo consent',
  other: 'Other',
}
export const SIGNER_NAMES: Record<Signer, string> = {
  guardian: 'A parent or guardian. Adults for themselves',
  each_guardian: 'Each parent or guardian. Adults for themselves',
  student: 'The student, if old enough',
  payer: 'Whoever pays',
}
export const PURPOSE_NAMES: Record<Purpose, string> = {
  everybody: 'Everybody',
  trial: 'Trials',
  enrolment: 'Regular students',
  plan: 'Students with a plan',
  event: 'Events, only when you ask',
}
export const DUE_NAMES: Record<DueTime, string> = {
  before: 'Before the first class',
  first_check_in: 'At the first check-in',
  within_days: 'Some days after enrolling',
}
const STATE_WORDS: Record<SigningState, string> = {
  missing: 'Not signed',
  expired: 'Ended',
  unconfirmed: 'Please confirm the signature',
  earlier_version: 'Signed an earlier version',
  signed_as_minor: 'Signed as a minor',
  signed: 'Signed',
}
export const CHANNEL_WORDS: Record<SigningChannel, string> = {
  login: 'with a login',
  phone: 'by a texted link',
  mail: 'by an emailed link',
  kiosk: 'by the kiosk’s QR code',
  device: 'on your device',
  paper: 'on paper',
}

type State = { state: SigningState; expires_on: string | null }

/** "Signed, until Aug 31, 2027" */
export function describeState({ state, expires_on }: State): string {
  if (expires_on === null || state === 'missing') return STATE_WORDS[state]
  const preposition = state === 'expired' ? 'on' : 'until'
  const comma = state === 'expired' ? '' : ','
  return `${STATE_WORDS[state]}${comma} ${preposition} ${formatDate(expires_on)}`
}

export function describeDocument(document: DocumentSummary): string {
  const { version, is_archived, has_unpublished_changes, purpose } = document
  if (version === null) return 'Not published'
  if (is_archived) return 'Archived'
  return joinNonEmpty(
    [
      `Version ${version}`,
      PURPOSE_NAMES[purpose],
      has_unpublished_changes && 'changes not published',
    ],
    ' · ',
  )
}

export function describeCounts({ unsigned_count, expiring_count }: DocumentSummary): string {
  return joinNonEmpty([
    unsigned_count > 0 && `${pluralize(unsigned_count, 'student has', 'students have')} not signed`,
    expiring_count > 0 && `${pluralize(expiring_count, 'signature ends', 'signatures end')} soon`,
  ])
}
