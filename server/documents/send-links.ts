import type { SigningLinkForm } from '@tatami/contract/documents/documents'
import { refusalWithout } from '@tatami/contract/rights'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { guardians } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { validPhone } from '../lib/phone.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { readLetterhead } from '../pictures/pictures.ts'
import { students } from '../students/tables.ts'
import { replyToPhone } from '../texting/conversations/replies.ts'
import { createSigningLink, type NewLink, signingUrl } from './links.ts'
import { findNeedsOfPerson } from './needed.ts'
import type { Person } from './people.ts'

const EMAIL_NOT_SET_UP = 'Email is not set up. You can text the link or sign here.'
const NO_EMAIL = 'They have no email address.'
const NO_PHONE = 'They have no valid phone number.'

type LinkReply = { reply: { link: string | null }; email: Email | null }
type Contact = { email: string | null; phone: string | null }

/** Sending needs the right to send texts or to change students. Signing here needs neither. */
function requireMaySend({ staff }: DojoCaller): void {
  const maySend = staff?.rights.has('texts.send') || staff?.rights.has('students.edit')
  if (!maySend) throw new Refusal(403, refusalWithout('texts.send'))
}

function chooseSigner(
  person: Person,
  { guardian_id, is_somebody_else }: SigningLinkForm,
): NewLink['signer'] {
  if (is_somebody_else) return { kind: 'other', id: null }
  if (guardian_id === undefined) return { kind: 'student', id: person.id }
  if (!person.guardians.some((link) => link.guardian_id === guardian_id)) throw notFound('Guardian')
  return { kind: 'guardian', id: guardian_id }
}

async function readContact(
  tx: Tx,
  person: Person,
  guardianId: string | undefined,
): Promise<Contact> {
  const [contact] =
    guardianId === undefined
      ? await tx
          .select({ email: students.email, phone: students.phone_number })
          .from(students)
          .where(eq(students.id, person.id))
      : await tx
          .select({ email: guardians.email, phone: guardians.phone })
          .from(guardians)
          .where(eq(guardians.id, guardianId))
  return contact ?? { email: null, phone: null }
}

/** Returns the link only if somebody signs on this device. Otherwise, only the signer gets it. */
export async function createLinkForStudent(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  form: SigningLinkForm,
  { mail, publicUrl }: { mail: Mailer; publicUrl: string },
): Promise<LinkReply> {
  const { dojoId } = caller
  if (form.by !== 'device') requireMaySend(caller)
  const { person, needs } = await findNeedsOfPerson(
    tx,
    dojoId,
    { kind: 'student', id: studentId },
    form.document_ids,
  )
  const knownIds = needs.map(({ document_id }) => document_id)
  if (!form.document_ids.every((id) => knownIds.includes(id))) throw notFound('Document')
  const signer = chooseSigner(person, form)
  const contact = await readContact(tx, person, form.guardian_id)
  const sentTo = form.by === 'device' ? null : findAddress(form.by, contact, mail)
  const token = await createSigningLink(tx, dojoId, {
    person,
    documentIds: form.document_ids,
    channel: form.by,
    signer,
    sentTo,
    createdBy: caller.id,
  })
  const link = signingUrl(publicUrl, token)
  const action = form.by === 'device' ? 'signing link opened' : 'signing link sent'
  await auditAction(tx, caller, action, { subject_id: studentId })
  if (sentTo === null) return { reply: { link }, email: null }
  const { name: dojoName } = await dojoById(tx, dojoId)
  const text = `${dojoName}: please sign for ${person.name}: ${link}`
  if (form.by === 'mail')
    return {
      reply: { link: null },
      email: {
        to: sentTo,
        subject: `${dojoName}: Please sign`,
        text: [
          `Please read and sign for ${person.name}:`,
          '',
          link,
          '',
          'The link works for 7 days.',
        ].join('\n'),
        letterhead: await readLetterhead(tx),
      },
    }
  await replyToPhone(tx, caller, sentTo, { text, even_on_vacation: form.even_on_vacation })
  return { reply: { link: null }, email: null }
}

function findAddress(channel: 'phone' | 'mail', { email, phone }: Contact, mail: Mailer): string {
  if (channel === 'mail' && !mail.isConfigured) throw new Refusal(409, EMAIL_NOT_SET_UP)
  const address = channel === 'mail' ? email : validPhone(phone)
  if (!address) throw new Refusal(409, channel === 'mail' ? NO_EMAIL : NO_PHONE)
  return address
}
