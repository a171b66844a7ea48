import { mustExist } from '@tatami/contract/lib/must-exist'
import { createCipheriv, createHmac, hash, randomBytes } from 'node:crypto'
import {
  type OfflinePeople,
  MAX_OFFLINE_STUDENTS,
  type OfflinePerson,
} from '@tatami/contract/kiosk/kiosk'
import { and, eq, isNull } from 'drizzle-orm'
import { accounts } from '../accounts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import type { Kiosk } from '../http/serve.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import { entriesOf, readEntryNotices } from '../plans/entries.ts'
import { enrollments, students } from '../students/tables.ts'
import { makeCodes } from './codes.ts'
import { findClassesOfStudents, findOwnClass, withShortNames } from './identify.ts'
import { makePass } from './passes.ts'
import { OFFLINE_ROUNDS, deriveOfflineSalt } from './pins.ts'
import { checkInPins } from './tables.ts'
import { readKioskDay } from './today.ts'
import { getOrThrow, pick, pluck } from '../lib/rows.ts'

const NONCE_BYTES = 12

const deriveKey = (key: Buffer, purpose: string) =>
  createHmac('sha256', key).update(purpose).digest()

/** Browsers expect the authentication tag of AES-GCM at the end. */
function sealEntry(key: Buffer, people: OfflinePerson[]) {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'seal'), nonce)
  const sealedBytes = Buffer.concat([
    nonce,
    cipher.update(JSON.stringify(people), 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  return {
    tag: deriveKey(key, 'tag').toString('base64url'),
    sealed: sealedBytes.toString('base64url'),
  }
}

const findEnrolledStudents = (tx: Tx, classIds: string[]) =>
  tx
    .selectDistinct(pick(students, 'id', 'name'))
    .from(students)
    .innerJoin(enrollments, eq(enrollments.student_id, students.id))
    .where(equalsAny(enrollments.class_id, classIds))
    .orderBy(students.id)
    .limit(MAX_OFFLINE_STUDENTS)

/** Returns the students whom a kiosk can check in without a network. Each entry is encrypted, and
 *  only the PIN or code of the people in it can decrypt it. */
export async function readOfflinePeople(tx: Tx, kiosk: Kiosk): Promise<OfflinePeople> {
  const kioskDay = await readKioskDay(tx, kiosk)
  const { secret } = kioskDay.settings
  const rows = await findEnrolledStudents(tx, pluck(kioskDay.classes, 'id'))
  const ids = pluck(rows, 'id')
  const classesByStudent = await findClassesOfStudents(tx, kioskDay, ids)
  const passContext = { secret, kioskId: kiosk.id, day: kioskDay.day }
  const chooseClass = (id: string) => {
    const ownClasses = getOrThrow(classesByStudent, id)
    const nextClass = findOwnClass(ownClasses, undefined, kioskDay.minute)
    const lastClass = ownClasses.at(-1)
    return mustExist(nextClass ?? lastClass, 'The class of a student')
  }
  const attendees = ids.map((id) => ({ student_id: id, kioskClass: chooseClass(id) }))
  const notices = await readEntryNotices(tx, entriesOf(attendees, kioskDay.day), kioskDay.day)
  const toOfflinePeople = (people: typeof rows): OfflinePerson[] =>
    withShortNames(people).map(({ id, name }) => {
      const kioskClass = chooseClass(id)
      return {
        name,
        pass: makePass(passContext, id, 'sure'),
        class_name: kioskClass.name,
        class_time: kioskClass.time,
        entry_words: notices.get(id)?.words ?? null,
      }
    })
  const studentById = new Map(rows.map((row) => [row.id, row]))
  const pins = await tx
    .select({ id: checkInPins.student_id, key: checkInPins.offline_key })
    .from(checkInPins)
    .where(equalsAny(checkInPins.student_id, ids))
  const studentIdsByAccount = await findStudentsByAccount(tx, ids)
  const codes = await makeCodes(tx, secret, [...studentIdsByAccount.keys()])
  return {
    day: kioskDay.day,
    salt: deriveOfflineSalt(secret),
    rounds: OFFLINE_ROUNDS,
    entries: [
      ...(await mapInSlices(pins, ({ id, key }) =>
        sealEntry(Buffer.from(key, 'base64url'), toOfflinePeople([getOrThrow(studentById, id)])),
      )),
      ...(await mapInSlices(codes, ({ account_id, code }) =>
        sealEntry(
          hash('sha256', code, 'buffer'),
          toOfflinePeople(
            getOrThrow(studentIdsByAccount, account_id).map((id) => getOrThrow(studentById, id)),
          ),
        ),
      )),
    ],
  }
}

/** Account id → the students who can check in with the account's code. */
async function findStudentsByAccount(tx: Tx, ids: string[]): Promise<Map<string, string[]>> {
  const ownAccounts = await tx
    .select({ account_id: accounts.id, student_id: accounts.id })
    .from(accounts)
    .where(and(equalsAny(accounts.id, ids), eq(accounts.is_active, true)))
  const guardianAccounts = await tx
    .select({ account_id: accounts.id, student_id: guardianships.student_id })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .innerJoin(accounts, eq(accounts.id, guardians.account_id))
    .where(
      and(
        equalsAny(guardianships.student_id, ids),
        eq(guardianships.sees, true),
        isNull(guardianships.ended_at),
        eq(accounts.is_active, true),
      ),
    )
  const studentIdsByAccount = new Map<string, string[]>()
  for (const { account_id, student_id } of [...ownAccounts, ...guardianAccounts]) {
    const studentIds = studentIdsByAccount.get(account_id) ?? []
    if (!studentIds.includes(student_id)) studentIds.push(student_id)
    studentIdsByAccount.set(account_id, studentIds)
  }
  return studentIdsByAccount
}
