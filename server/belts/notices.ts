import { firstNames } from '@tatami/contract/texting/message-types'
import { rankLabel } from '@tatami/contract/lib/ranks'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { findReaderAccounts } from '../guardians/readers.ts'
import { guardians } from '../guardians/tables.ts'
import { notifyEach } from '../notifications/notify.ts'
import type { RankRow } from './styles.ts'
import { pick, pluck } from '../lib/rows.ts'

type Person = { id: string; name: string }
type NoticeText = { toStudent: string; toGuardian: (name: string) => string }

async function sendNotices(
  tx: Tx,
  dojoId: string,
  title: string,
  notices: { student: Person; change_id: string; text: NoticeText }[],
): Promise<void> {
  const ids = notices.map(({ student }) => student.id)
  const readers = Map.groupBy(
    ids.length > 0 ? await findReaderAccounts(tx, ids) : [],
    ({ student_id }) => student_id,
  )
  for (const { student, change_id, text } of notices) {
    const firstName = firstNames([student.name])
    const messages = (readers.get(student.id) ?? []).map(({ account_id }) => ({
      account_id,
      message: account_id === student.id ? text.toStudent : text.toGuardian(firstName),
    }))
    const subject = { student_id: student.id, belt_change_id: change_id }
    await notifyEach(tx, dojoId, { title, ...subject }, messages)
  }
}

/** Returns the names of the people who get notifications about each student. */
export async function findReaderNames(
  tx: Tx,
  students: readonly Person[],
): Promise<Map<string, string[]>> {
  if (students.length === 0) return new Map()
  const studentNames = new Map(students.map(({ id, name }) => [id, name]))
  const readers = await findReaderAccounts(tx, [...studentNames.keys()])
  const accountIds = [...new Set(pluck(readers, 'account_id'))]
  const guardianRows = await tx
    .select(pick(guardians, 'account_id', 'name'))
    .from(guardians)
    .where(equalsAny(guardians.account_id, accountIds))
  const guardianNames = new Map(guardianRows.map(({ account_id, name }) => [account_id, name]))
  const findName = ({ account_id }: { account_id: string }) =>
    studentNames.get(account_id) ?? guardianNames.get(account_id) ?? ''
  const readersByStudent = Map.groupBy(readers, ({ student_id }) => student_id)
  return new Map([...readersByStudent].map(([id, accounts]) => [id, accounts.map(findName)]))
}

const promotionText = (rank: string): NoticeText => ({
  toStudent: `You were promoted to ${rank}.`,
  toGuardian: (name) => `${name} was promoted to ${rank}.`,
})
const newBeltText = (belt: string): NoticeText => ({
  toStudent: `You now wear the ${belt} belt.`,
  toGuardian: (name) => `${name} now wears the ${belt} belt.`,
})

function newStripesText(newStripes: number, rank: string): NoticeText {
  const stripes = newStripes === 1 ? 'a new stripe' : `${newStripes} new stripes`
  return {
    toStudent: `You have ${stripes}: ${rank}.`,
    toGuardian: (name) => `${name} has ${stripes}: ${rank}.`,
  }
}

/** Returns true for a rank that is named after its belt, such as "Yellow". */
const isPlainBelt = ({ name, belt_level }: Pick<RankRow, 'name' | 'belt_level'>) =>
  name.toLowerCase() === belt_level

export type NewBelt = {
  student: Person
  rank: Pick<RankRow, 'name' | 'belt_level'>
  change_id: string
}

export const notifyNewBelts = (tx: Tx, dojoId: string, newBelts: NewBelt[]): Promise<void> =>
  sendNotices(
    tx,
    dojoId,
    'New belt',
    newBelts.map(({ student, rank, change_id }) => ({
      student,
      change_id,
      text: isPlainBelt(rank) ? newBeltText(rank.belt_level) : promotionText(rank.name),
    })),
  )

type NewStripes = NewBelt & { stripes: number; newStripes: number }

export const notifyNewStripes = (tx: Tx, dojoId: string, changes: NewStripes[]): Promise<void> =>
  sendNotices(
    tx,
    dojoId,
    'New stripe',
    changes.map(({ student, rank, change_id, stripes, newStripes }) => ({
      student,
      change_id,
      text: newStripesText(newStripes, rankLabel({ name: rank.name, stripes })),
    })),
  )
