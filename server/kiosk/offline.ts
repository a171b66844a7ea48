import { shortNames } from '@tatami/contract/lib/name-parts'
import { createCipheriv, createHmac, hash, randomBytes } from 'node:crypto'
import {
  type KioskClass,
  type OfflinePeople,
  OFFLINE_MAX,
  type OfflinePerson,
} from '@tatami/contract/kiosk/kiosk'
import { and, eq, isNull } from 'drizzle-orm'
import { accounts } from '../accounts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import type { Kiosk } from '../http/serve.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import { enrolments, students } from '../students/tables.ts'
import { codesOf } from './codes.ts'
import { classesOfStudents, ownClass } from './identify.ts'
import { makePass } from './passes.ts'
import { OFFLINE_ROUNDS, offlineSalt } from './pins.ts'
import { checkInPins } from './tables.ts'
import { doorAt } from './today.ts'
import { getOrThrow, pick, pluck } from '../lib/rows.ts'

const NONCE_BYTES = 12

const derive = (key: Buffer, use: string) => createHmac('sha256', key).update(use).digest()

/** Only the PIN or code opens an entry. Browsers expect the tag of AES-GCM at the end. */
function entryFor(key: Buffer, people: OfflinePerson[]) {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', derive(key, 'seal'), nonce)
  const sealedBytes = Buffer.concat([
    nonce,
    cipher.update(JSON.stringify(people), 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  return {
    tag: derive(key, 'tag').toString('base64url'),
    sealed: sealedBytes.toString('base64url'),
  }
}

/** What a kiosk needs to check in today's students offline. It holds no list of names: only a
 *  student's PIN or code opens their entry. */
export async function offlinePeople(tx: Tx, kiosk: Kiosk): Promise<OfflinePeople> {
  const door = await doorAt(tx, kiosk)
  const { secret } = door.settings
  const rows = await tx
    .selectDistinct(pick(students, 'id', 'name'))
    .from(students)
    .innerJoin(enrolments, eq(enrolments.student_id, students.id))
    .where(
      equalsAny(
        enrolments.class_id,
        door.classes.map(({ id }) => id),
      ),
    )
    .orderBy(students.id)
    .limit(OFFLINE_MAX)
  const ids = pluck(rows, 'id')
  const classesByStudent = await classesOfStudents(tx, door, ids)
  const passContext = { secret, kioskId: kiosk.id, day: door.day }
  const personOf = (familyStudents: typeof rows): OfflinePerson[] => {
    const names = shortNames(pluck(familyStudents, 'name'))
    return familyStudents.map(({ id }, place) => ({
      name: names[place]!,
      pass: makePass(passContext, id, 'sure'),
      ...timeOf(classesByStudent.get(id) ?? []),
    }))
  }
  const timeOf = (ownClasses: KioskClass[]) => {
    const kioskClass = ownClass(ownClasses, undefined, door.minute) ?? ownClasses.at(-1)!
    return { class_name: kioskClass.name, class_time: kioskClass.time }
  }
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pins = await tx
    .select({ id: checkInPins.student_id, key: checkInPins.offline_key })
    .from(checkInPins)
    .where(equalsAny(checkInPins.student_id, ids))
  const families = await accountsWithStudents(tx, ids)
  const codes = await codesOf(tx, secret, [...families.keys()])
  return {
    day: door.day,
    salt: offlineSalt(secret),
    rounds: OFFLINE_ROUNDS,
    entries: [
      ...(await mapInSlices(pins, ({ id, key }) =>
        entryFor(Buffer.from(key, 'base64url'), personOf([getOrThrow(byId, id)])),
      )),
      ...(await mapInSlices(codes, ({ account_id, code }) =>
        entryFor(
          hash('sha256', code, 'buffer'),
          personOf(getOrThrow(families, account_id).map((id) => getOrThrow(byId, id))),
        ),
      )),
    ],
  }
}

async function accountsWithStudents(tx: Tx, ids: string[]): Promise<Map<string, string[]>> {
  const ownAccounts = await tx
    .select({ account_id: accounts.id, student_id: accounts.id })
    .from(accounts)
    .where(and(equalsAny(accounts.id, ids), eq(accounts.is_active, true)))
  const children = await tx
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
  const byAccount = Map.groupBy([...ownAccounts, ...children], ({ account_id }) => account_id)
  return new Map(
    [...byAccount].map(([account, theirs]) => [account, [...new Set(pluck(theirs, 'student_id'))]]),
  )
}
