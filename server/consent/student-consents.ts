import type { StudentConsent, PhoneWithConsents } from '@tatami/contract/texting/student-consents'
import { desc, eq, getTableColumns } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { validPhone } from '../lib/phone.ts'
import { instructors } from '../sensei/tables.ts'
import { whereConsentOf, findHashedWithdrawals } from '../texting/consents.ts'
import { listStudentPhones, wherePhoneEnding } from '../texting/phones.ts'
import { findStoppedPhones } from '../texting/opt-outs.ts'
import { consentPhoneEnding, consents, textConsents } from './tables.ts'

const MAX_CONSENTS = 200

/** Lists the phones of a student and their guardians, with the consents for each. Includes public
 *  forms that name this dojo or one of its instructors. */
export async function listConsentsOfStudent(
  tx: Tx,
  dojoId: string,
  studentId: string,
): Promise<PhoneWithConsents[]> {
  const phones = await listStudentPhones(tx, studentId)
  const numbers = phones.map(({ phone_number }) => phone_number)
  const consentRows = await findRecordedConsents(tx, numbers)
  const forms = await findSignedForms(tx, dojoId, numbers)
  const stoppedPhones = await findStoppedPhones(tx, numbers)
  const consentsByPhone = Map.groupBy(mergeConsents(consentRows, forms), ({ phone }) => phone)
  return phones.map((phoneRow) => ({
    ...phoneRow,
    opted_out_at: stoppedPhones.get(phoneRow.phone_number) ?? null,
    consents: (consentsByPhone.get(phoneRow.phone_number) ?? []).map(
      ({ phone: _, ...consent }) => consent,
    ),
  }))
}

type PhoneConsent = StudentConsent & { phone: string }

async function findRecordedConsents(tx: Tx, phones: string[]): Promise<PhoneConsent[]> {
  const hashedWithdrawals = await findHashedWithdrawals(tx, phones)
  const { dojo_id: _, address: __, undone_at: ___, ...columns } = getTableColumns(textConsents)
  const rows = await tx
    .select({ ...columns, recorded_by: instructors.name })
    .from(textConsents)
    .leftJoin(instructors, eq(instructors.id, textConsents.recorded_by))
    .where(whereConsentOf(phones, hashedWithdrawals))
    .orderBy(desc(textConsents.id))
    .limit(MAX_CONSENTS)
  return rows.map((row) => ({
    ...row,
    phone: hashedWithdrawals.get(row.id) ?? row.phone,
    topics: row.topics as PhoneConsent['topics'],
    signed_form: null,
  }))
}

const FORM_TOPICS: PhoneConsent['topics'] = ['dues', 'classes', 'promotions']

/** Finds public forms that name this dojo or one of its instructors. Forms belong to no dojo. */
async function findSignedForms(tx: Tx, dojoId: string, phones: string[]): Promise<PhoneConsent[]> {
  const rows = await tx
    .select()
    .from(consents)
    .where(wherePhoneEnding(consentPhoneEnding, phones))
    .orderBy(desc(consents.id))
    .limit(MAX_CONSENTS)
  if (rows.length === 0) return []
  const { name: dojo } = await dojoById(tx, dojoId)
  const senseis = (await tx.select({ name: instructors.name }).from(instructors)).map(
    ({ name }) => name,
  )
  return rows.flatMap((row) => {
    const phone = validPhone(row.phone_number)
    if (
      phone === null ||
      !phones.includes(phone) ||
      !namesSchool(row.sensei_name, { dojo, senseis })
    )
      return []
    return {
      id: row.id,
      phone,
      event: 'given' as const,
      source: 'form' as const,
      given_by: row.signature,
      topics: FORM_TOPICS,
      wording_version: row.wording_version,
      words: null,
      at: row.created_at,
      recorded_by: null,
      signed_form: { sensei_name: row.sensei_name, date: row.date },
    }
  })
}

const TITLES = new Set(['sensei', 'master', 'coach', 'professor', 'mr', 'mrs', 'ms', 'dr'])
const splitWords = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !TITLES.has(word))

/** Returns true if the text is the dojo's full name, part of an instructor's name, or both.
 *  Ignores word order, case, accents and titles. */
export function namesSchool(
  typedName: string,
  { dojo, senseis }: { dojo: string; senseis: string[] },
): boolean {
  const words = splitWords(typedName)
  const dojoWords = splitWords(dojo)
  const senseiWords = senseis.flatMap(splitWords)
  const hasSensei = words.some((word) => senseiWords.includes(word))
  const hasDojo = dojoWords.length > 0 && dojoWords.every((word) => words.includes(word))
  const knownWords = [...dojoWords, ...senseiWords]
  return (hasSensei || hasDojo) && words.every((word) => knownWords.includes(word))
}

/** Newest first. A consent that was copied from a form has the form's id and is listed once. */
function mergeConsents(dojoConsents: PhoneConsent[], forms: PhoneConsent[]): PhoneConsent[] {
  const byId = new Map([...dojoConsents, ...forms].map((consent) => [consent.id, consent]))
  return [...byId.values()].toSorted((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id))
}
