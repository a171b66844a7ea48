import { disclosureLines } from '@tatami/contract/documents/disclosure'
import type { SigningChannel } from '@tatami/contract/documents/signatures'
import { printsOnLetter } from '../lib/paper-size.ts'
import type { signatures } from './tables.ts'
import type { DocumentRow, VersionRow } from './documents.ts'
import type { SignaturePaper } from './signature-drawing.ts'

const CHANNEL_WORDS: Record<SigningChannel, string> = {
  login: 'Signed with a login',
  phone: 'Signed with a link sent by text',
  mail: 'Signed with a link sent by email or shown to the signer',
  kiosk: 'Signed with a link from the kiosk',
  device: 'Signed on a device of the school',
  paper: 'Signed on paper',
}

/** "November 27, 2026 at 5:04:11 PM CST" */
export const formatMoment = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone,
  }).format(new Date(instant))

export type NewSignature = Omit<
  typeof signatures.$inferInsert,
  'dojo_id' | 'pdf_hash' | 'copy_hash'
> & { id: string }

type PaperContent = {
  dojoName: string
  document: Pick<DocumentRow, 'has_medical_answers_in_pdf'>
  version: VersionRow
  signature: NewSignature
  recorderName?: string | null
}

function describeSigner({ signer_kind, signer_name, relation, person_name }: NewSignature) {
  if (signer_kind === 'student') return `Signed by ${signer_name} for themselves`
  return `Signed by ${signer_name}${relation ? ` (${relation})` : ''} for ${person_name}`
}

export function composePaper({
  dojoName,
  document,
  version,
  signature,
  recorderName = null,
}: PaperContent): SignaturePaper {
  const { signed_at, time_zone, channel, disclosure_version } = signature
  return {
    dojo_name: dojoName,
    document_name: version.name,
    version: version.n,
    language: version.language,
    text_hash: version.hash,
    body: version.body,
    answers: [
      ...signature.answers,
      ...(document.has_medical_answers_in_pdf ? signature.medical_answers : []),
    ],
    person_name: signature.person_name,
    statement: describeSigner(signature),
    facts: [
      `${formatMoment(signed_at, time_zone)} (${time_zone})`,
      recorderName === null
        ? CHANNEL_WORDS[channel]
        : `${CHANNEL_WORDS[channel]}, recorded by ${recorderName}`,
      `Signature ${signature.id}`,
    ],
    disclosure: disclosure_version ? disclosureLines(disclosure_version) : [],
    drawing: signature.drawing ?? null,
    photo: null,
    signed_at,
    is_letter: printsOnLetter(time_zone),
  }
}
