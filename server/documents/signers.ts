/** Who may sign which document for whom. */
import type { SignForm } from '@tatami/contract/documents/signing'
import type { SignerKind } from '@tatami/contract/documents/signatures'
import type { Relation } from '@tatami/contract/guardians/guardians'
import { hasReachedAge } from '../guardians/ages.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import type { PublishedDocument } from './documents.ts'
import type { Need } from './needed.ts'
import { isAdult, type Person } from './people.ts'

export type DocumentSigner = {
  kind: SignerKind
  id: string | null
  relation: Relation | null
  email: string | null
  needsConfirmation: boolean
}

type LinkSigner = { signer_kind: SignerKind | null; signer_id: string | null }

const TOO_YOUNG = 'You can’t sign this alone yet. Please ask a parent or guardian to sign it.'
const ADULT_SIGNS = 'The student is an adult and signs this paper.'
const ONLY_PAYER = 'Only the person who pays can sign this paper.'
const NOT_GUARDIAN = 'You can’t sign for this student anymore. Please ask your school.'

const normalizeName = (name: string) => name.normalize('NFKC').trim().toLowerCase()

/** True if people sign this document for themselves, once they are old enough. */
const maySignAlone = (
  { signer, min_age }: PublishedDocument,
  person: Pick<Person, 'date_of_birth' | 'guardians'>,
  today: string,
): boolean => {
  const isOldEnough = hasReachedAge(person.date_of_birth, min_age, today, { unknown: true })
  return isOldEnough && (signer === 'student' || isAdult(person, today))
}

/** True if the guardian may sign. The payer signs for adults, too. */
const mayGuardianSign = (
  { signer }: PublishedDocument,
  person: Person,
  guardianId: string,
  today: string,
): boolean => {
  const link = person.guardians.find(({ guardian_id }) => guardian_id === guardianId)
  if (!link) return false
  return signer === 'payer' ? link.pays : link.sees && !isAdult(person, today)
}

/** True if this person has to sign. Without `guardianId`, it is the student. */
export function isAskedToSign(
  { document, state, waitingGuardianIds }: Need,
  person: Person,
  guardianId: string | null,
  today: string,
): boolean {
  if (state === 'unconfirmed' || state === 'signed') return false
  if (guardianId === null) return maySignAlone(document, person, today)
  if (!mayGuardianSign(document, person, guardianId, today)) return false
  return waitingGuardianIds === null || waitingGuardianIds.includes(guardianId)
}

/** Null means that the link does not say who signs. */
export function isOpenOnLink(
  need: Need,
  person: Person,
  { signer_kind, signer_id }: LinkSigner,
  today: string,
): boolean {
  if (signer_kind === 'student') return isAskedToSign(need, person, null, today)
  if (signer_kind === 'guardian') return isAskedToSign(need, person, signer_id, today)
  return need.state !== 'unconfirmed' && need.state !== 'signed'
}

const tooYoung = () =>
  new Refusal(422, TOO_YOUNG, { errors: [{ field: 'signs_for', message: TOO_YOUNG }] })

function selfAsSigner(document: PublishedDocument, person: Person, today: string): DocumentSigner {
  if (person.date_of_birth === null)
    throw invalid('date_of_birth', 'Please enter your date of birth')
  if (!maySignAlone(document, { ...person, guardians: [] }, today)) throw tooYoung()
  return {
    kind: 'student',
    id: person.id,
    relation: null,
    email: person.email,
    needsConfirmation: false,
  }
}

function guardianAsSigner(
  document: PublishedDocument,
  person: Person,
  guardianId: string,
  today: string,
): DocumentSigner {
  const link = person.guardians.find(({ guardian_id }) => guardian_id === guardianId)
  if (!link) throw new Refusal(403, NOT_GUARDIAN)
  if (document.signer === 'payer' && !link.pays) throw new Refusal(403, ONLY_PAYER)
  if (document.signer !== 'payer' && isAdult(person, today)) throw new Refusal(403, ADULT_SIGNS)
  if (document.signer !== 'payer' && !link.sees) throw new Refusal(403, NOT_GUARDIAN)
  return {
    kind: 'guardian',
    id: guardianId,
    relation: link.relation,
    email: link.email,
    needsConfirmation: false,
  }
}

/** Everybody who is not known has to enter a phone number, so that nobody learns from the form
 *  which names are those of guardians. */
function otherAsSigner(
  document: PublishedDocument,
  person: Person,
  { name, relation, phone }: Pick<SignForm, 'name' | 'relation' | 'phone'>,
  today: string,
): DocumentSigner {
  if (isAdult(person, today) && person.date_of_birth !== null) throw new Refusal(403, ADULT_SIGNS)
  if (!relation) throw invalid('relation', 'Please say how you are related')
  if (!phone) throw invalid('phone', 'Please enter your phone number')
  const guardian = person.guardians.find(
    (link) => normalizeName(link.name) === normalizeName(name) && (link.sees || link.pays),
  )
  if (guardian && mayGuardianSign(document, person, guardian.guardian_id, today))
    return guardianAsSigner(document, person, guardian.guardian_id, today)
  return {
    kind: 'other',
    id: null,
    relation,
    email: person.kind === 'visitor' ? person.email : null,
    // The school knows nobody yet who could belong to a visitor.
    needsConfirmation: person.kind === 'student',
  }
}

/** Refuses people who may not sign: 422 if they are too young, 403 otherwise. */
export function requireSigner(
  { document }: Need,
  visitedPerson: Person,
  { signer_kind, signer_id }: LinkSigner,
  form: SignForm,
  today: string,
): DocumentSigner {
  const person = {
    ...visitedPerson,
    date_of_birth: visitedPerson.date_of_birth ?? form.date_of_birth ?? null,
  }
  if (signer_kind === 'student') return selfAsSigner(document, person, today)
  if (signer_kind === 'guardian' && signer_id !== null)
    return guardianAsSigner(document, person, signer_id, today)
  if (signer_kind === null && form.signs_for === undefined)
    throw invalid('signs_for', 'Please say for whom you sign')
  if (signer_kind === null && form.signs_for === 'self')
    return selfAsSigner(document, person, today)
  if (signer_kind === 'other' && form.signs_for === 'self') throw tooYoung()
  return otherAsSigner(document, visitedPerson, form, today)
}
