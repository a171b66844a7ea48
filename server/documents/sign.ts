import { DISCLOSURE_VERSION, disclosureLines } from '@tatami/contract/documents/disclosure'
import type { OpenedLink, SignForm, SignResult } from '@tatami/contract/documents/signing'
import { firstNames } from '@tatami/contract/texting/message-types'
import { auditAction, NO_ACTOR_ID } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { nowIso } from '../lib/clock.ts'
import { newDojoToken, SECRET_BYTES } from '../lib/dojo-tokens.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { sha256 } from '../lib/secrets.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { readDojoLook, readLetterhead } from '../pictures/pictures.ts'
import { checkAnswers } from './answers.ts'
import { toText, type VersionRow } from './documents.ts'
import { lastDayOfSignature } from './expiry.ts'
import { findDojoOfToken, lockLink, markUsed, type SigningLink, invalidLink } from './links.ts'
import { findNeedsOfPerson, type Need, type PersonNeeds } from './needed.ts'
import { composePaper, formatMoment, type NewSignature } from './paper.ts'
import { type Person, personIds } from './people.ts'
import { drawSignature } from './signature-drawing.ts'
import { revokeLink } from './refuse-link.ts'
import { readSignatureRecords } from './signature-records.ts'
import { isOpenOnLink, requireSigner } from './signers.ts'
import { findRenewedId, type SignatureRow, storeSignature } from './store-signature.ts'

type LinkContext = PersonNeeds & { link: SigningLink; today: string }

const linkPerson = ({ student_id, visitor_id }: SigningLink): Pick<Person, 'kind' | 'id'> =>
  student_id === null
    ? { kind: 'visitor', id: visitor_id ?? '' }
    : { kind: 'student', id: student_id }

/** The needs of the link’s person, limited to the documents of the link. */
async function readLinkContext(tx: Tx, dojoId: string, token: string): Promise<LinkContext> {
  const link = await lockLink(tx, dojoId, token)
  const { person, needs } = await findNeedsOfPerson(tx, dojoId, linkPerson(link), link.document_ids)
  return {
    link,
    person,
    needs: needs.filter(({ document_id }) => link.document_ids.includes(document_id)),
    today: await todayOf(tx, dojoId),
  }
}

const listOpenNeeds = ({ needs, person, link, today }: LinkContext): Need[] =>
  needs.filter((need) => isOpenOnLink(need, person, link, today))

export function openLink(db: Database, token: string): Promise<OpenedLink> {
  const dojoId = findDojoOfToken(token)
  return db.inDojo(dojoId, async (tx) => {
    const context = await readLinkContext(tx, dojoId, token)
    const { link, person } = context
    if (link.used_at !== null) throw invalidLink()
    const { name: dojo_name, time_zone } = await dojoById(tx, dojoId)
    const guardian = person.guardians.find(({ guardian_id }) => guardian_id === link.signer_id)
    const knownEmail = link.signer_kind === 'guardian' ? guardian?.email : person.email
    // Whoever signs for a visitor gets the copy at the address with which they booked.
    const isForKnownEmail = link.signer_kind !== null || person.kind === 'visitor'
    return {
      dojo_name,
      ...(await readDojoLook(tx)),
      time_zone,
      first_name: firstNames([person.name]),
      channel: link.channel,
      signer_kind: link.signer_kind,
      has_email: Boolean(knownEmail) && isForKnownEmail,
      asks_birth_date: person.date_of_birth === null,
      disclosure_version: DISCLOSURE_VERSION,
      disclosure: [...disclosureLines(DISCLOSURE_VERSION)],
      papers: listOpenNeeds(context).map(({ document }) => ({
        ...pick(document, 'name', 'kind'),
        document_id: document.id,
        versions: document.versions.map((version) => ({
          ...toText(version),
          version_id: version.id,
        })),
      })),
    }
  })
}

const TEXT_CHANGED = 'The text has changed. Please read the new text before you sign.'

function requireNewestVersion(need: Need, versionId: string): VersionRow {
  const version = need.document.versions.find(({ id }) => id === versionId)
  if (!version) throw new Refusal(409, TEXT_CHANGED)
  return version
}

type Preparation = LinkContext & {
  dojo: { name: string; time_zone: string }
  need: Need
  version: VersionRow
  signature: NewSignature
  email: string | null
}

async function prepareSignature(
  tx: Tx,
  dojoId: string,
  form: SignForm,
  signedAt: string,
): Promise<Preparation> {
  const context = await readLinkContext(tx, dojoId, form.token)
  const { link, person, today } = context
  const need = context.needs.find(({ document_id }) => document_id === form.document_id)
  if (!need) throw notFound('Document')
  if (form.disclosure_version !== DISCLOSURE_VERSION) throw new Refusal(409, TEXT_CHANGED)
  const version = requireNewestVersion(need, form.version_id)
  const signer = requireSigner(need, person, link, form, today)
  const dojo = await dojoById(tx, dojoId)
  const signature: NewSignature = {
    id: newId(),
    document_id: need.document_id,
    version_id: version.id,
    version: version.n,
    ...personIds(person),
    person_name: person.name,
    person_born_on: person.date_of_birth ?? form.date_of_birth ?? null,
    signer_kind: signer.kind,
    signer_id: signer.id,
    signer_name: form.name,
    relation: signer.relation,
    drawing: form.drawing ?? null,
    ...checkAnswers(version.questions, form),
    disclosure_version: form.disclosure_version,
    signed_at: signedAt,
    time_zone: dojo.time_zone,
    channel: link.channel,
    needs_confirmation: signer.needsConfirmation,
    expires_on: lastDayOfSignature(need.document, today),
  }
  const records = (await readSignatureRecords(tx, [person])).get(person.id) ?? []
  return {
    ...context,
    dojo,
    need,
    version,
    signature: { ...signature, renewed_id: findRenewedId(records, signature, today) },
    email: signer.email ?? form.email ?? null,
  }
}

/** A second press with the same link gets the same secret, because it gets the first answer. */
function copySecret(
  dojoId: string,
  { token, document_id }: SignForm,
  { renewed_id = null }: NewSignature,
): string {
  const secret = sha256([token, document_id, renewed_id].join('|'))
  return newDojoToken(dojoId, Buffer.from(secret, 'base64url').subarray(0, SECRET_BYTES))
}

type Origin = { address: string; userAgent: string }
const MAX_DEVICE_LENGTH = 300

export async function signDocument(
  db: Database,
  form: SignForm,
  { address, userAgent }: Origin,
  mail: Mailer,
): Promise<SignResult> {
  const dojoId = findDojoOfToken(form.token)
  const signedAt = nowIso()
  const preparation = await db.inDojo(dojoId, (tx) => prepareSignature(tx, dojoId, form, signedAt))
  const { dojo, need, version, signature, email } = preparation
  const pdf = await drawSignature(
    composePaper({ dojoName: dojo.name, document: need.document, version, signature }),
  )
  const copy = copySecret(dojoId, form, signature)
  const { result, emails } = await db.inDojo(dojoId, async (tx) => {
    // Ends with 400 if the link was revoked in the meantime.
    const link = await lockLink(tx, dojoId, form.token)
    const { row, isNew } = await storeSignature(tx, signature, pdf, {
      email,
      phone: form.phone ?? null,
      address,
      device: userAgent.slice(0, MAX_DEVICE_LENGTH),
      copyHash: sha256(copy),
    })
    // A used link gets the first answer again, but signs nothing new.
    if (isNew && link.used_at !== null) throw invalidLink()
    if (isNew) await announceSignature(tx, dojoId, row, need)
    const openNeeds = listOpenNeeds(await readLinkContext(tx, dojoId, form.token))
    if (openNeeds.length === 0 && link.used_at === null) await markUsed(tx, link.id)
    return {
      result: {
        ...pick(row, 'signed_at', 'time_zone'),
        is_mailed: email !== null && mail.isConfigured,
        copy: row.copy_hash === sha256(copy) ? copy : null,
        papers_left: openNeeds.length,
      },
      emails: isNew && email !== null ? [await composeCopy(tx, row, dojo.name, email, pdf)] : [],
    }
  })
  for (const message of emails) mail.send(message)
  return result
}

async function announceSignature(
  tx: Tx,
  dojoId: string,
  { student_id, signer_id, needs_confirmation, person_name }: SignatureRow,
  { name }: Need,
): Promise<void> {
  await auditAction(tx, { id: signer_id ?? NO_ACTOR_ID, dojoId }, 'document signed', {
    ...(student_id && { subject_id: student_id }),
  })
  if (needs_confirmation && student_id)
    await notifyStaff(tx, dojoId, 'students.edit', {
      title: 'Please confirm a signature',
      message: `Somebody who is not a guardian of ${person_name} signed “${name}”.`,
      student_id,
    })
}

async function composeCopy(
  tx: Tx,
  { signed_at, time_zone, person_name }: SignatureRow,
  dojoName: string,
  email: string,
  pdf: Uint8Array,
): Promise<Email> {
  return {
    to: email,
    subject: `${dojoName}: Your signed copy`,
    text: [
      `You signed a paper for ${person_name} on ${formatMoment(signed_at, time_zone)}.`,
      '',
      'Your copy is attached. Please keep this email.',
      '',
      dojoName,
    ].join('\n'),
    letterhead: await readLetterhead(tx),
    attachment: {
      filename: 'signed-copy.pdf',
      content: Buffer.from(pdf),
      contentType: 'application/pdf',
    },
  }
}

/** The holder of the phone is not who the link was meant for. The link stops working. */
export function refuseLink(db: Database, token: string): Promise<void> {
  const dojoId = findDojoOfToken(token)
  return db.inDojo(dojoId, async (tx) => revokeLink(tx, await lockLink(tx, dojoId, token)))
}
