import { addDays, utcDay } from '@tatami/contract/lib/calendar-day'
import {
  ACTIVITY_DAYS,
  NEWEST_FIRST,
  type Sensei,
  type SenseiQuery,
  type SenseiSort,
  type SenseiSortKey,
} from '@tatami/contract/sensei/sensei'
import { normalize } from '@tatami/contract/lib/name-search'
import { and, asc, desc, eq, gte, inArray, not, or, type SQL, sql, sum } from 'drizzle-orm'
import { type PgColumn, unionAll } from 'drizzle-orm/pg-core'
import { type Account, isDojoActive } from '../accounts/accounts.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { asOverseer, insideDojo, type Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import type { Caller } from '../http/serve.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { renewPhotoAddresses } from '../pictures/pictures.ts'
import { allowanceEntries } from '../texting/tables.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { senseiDirectory, senseiTotals } from './tables.ts'

const SORT_COLUMNS: Record<SenseiSortKey, [PgColumn, ...PgColumn[]]> = {
  created: [senseiDirectory.created_at],
  name: [senseiDirectory.name_key],
  dojo: [senseiDirectory.dojo_key],
  place: [senseiDirectory.place_key],
  students: [senseiDirectory.total_students],
  status: [senseiDirectory.is_active, senseiDirectory.created_at],
}

/** Sorting by status starts with active sensei, which is descending order for a boolean. */
const parseSort = (sort: SenseiSort) => {
  const isReversed = sort.startsWith('-')
  const key = (isReversed ? sort.slice(1) : sort) as SenseiSortKey
  return {
    columns: [...SORT_COLUMNS[key], senseiDirectory.sensei_id],
    isDescending: isReversed !== (key === 'status'),
  }
}

const NO_LIMIT = 2 ** 31 - 1

/** Returns the newest first by default, and all without a limit (specification, section 7). */
export async function listSensei(tx: Tx, query: SenseiQuery): Promise<Sensei[]> {
  const rows = await findSensei(tx, query)
  const lastSeenOn = await readLastSeenDays(tx, pluck(rows, 'sensei_id'))
  const textCounts = await countTexts(tx, pluck(rows, 'dojo_id'))
  return rows.map((row) => ({
    ...row,
    activity: {
      last_seen_on: lastSeenOn.get(row.sensei_id) ?? null,
      texts: textCounts.get(row.dojo_id) ?? 0,
    },
  }))
}

async function readLastSeenDays(tx: Tx, senseiIds: string[]) {
  const rows = await tx
    .select(pick(accounts, 'id', 'last_seen_on'))
    .from(accounts)
    .where(equalsAny(accounts.id, senseiIds))
  return new Map(rows.map(({ id, last_seen_on }) => [id, last_seen_on]))
}

async function countTexts(tx: Tx, dojoIds: string[]) {
  const firstDay = addDays(utcDay(now()), 1 - ACTIVITY_DAYS)
  const rows = await asOverseer(tx, (overseerTx) =>
    overseerTx
      .select({
        dojo_id: allowanceEntries.dojo_id,
        texts: sum(allowanceEntries.texts).mapWith(Number),
      })
      .from(allowanceEntries)
      .where(and(equalsAny(allowanceEntries.dojo_id, dojoIds), gte(allowanceEntries.day, firstDay)))
      .groupBy(allowanceEntries.dojo_id),
  )
  return new Map(rows.map(({ dojo_id, texts }) => [dojo_id, texts]))
}

function findSensei(
  tx: Tx,
  { limit = NO_LIMIT, before, search, status = 'all', sort = NEWEST_FIRST }: SenseiQuery,
): Promise<(typeof senseiDirectory.$inferSelect)[]> {
  const { columns, isDescending } = parseSort(sort)
  const order = columns.map((column) => (isDescending ? desc(column) : asc(column)))
  const keys = sql.join(columns, sql`, `)
  const isAfter =
    before &&
    sql`(${keys}) ${sql.raw(isDescending ? '<' : '>')} (select ${keys} from ${senseiDirectory}
      where ${eq(senseiDirectory.sensei_id, before)})`
  const matchesSearch =
    search &&
    or(...searchPatterns(search).map((like) => sql`${senseiDirectory.search_text} like ${like}`))
  // Every index begins with the status, so each status is read separately.
  const selectByStatus = ({ isActive }: { isActive: boolean }) =>
    tx
      .select()
      .from(senseiDirectory)
      .where(
        and(
          eq(senseiDirectory.is_active, isActive),
          isAfter || undefined,
          matchesSearch || undefined,
        ),
      )
      .orderBy(...order)
      .limit(limit)
  if (status !== 'all') return selectByStatus({ isActive: status === 'active' })
  return unionAll(selectByStatus({ isActive: true }), selectByStatus({ isActive: false }))
    .orderBy(...order)
    .limit(limit)
}

/** The trigram index cannot find shorter texts inside a word. */
const MIN_SUBSTRING_LENGTH = 3

/** The first pattern finds the text anywhere, or only at the start of a word if the text is short.
 *  The others ignore punctuation and write special letters as one or two letters ("u" or "ue"). */
function searchPatterns(search: string): SQL[] {
  const escapedSearch = search.replaceAll(/[\\%_]/g, String.raw`\$&`)
  const isShort = normalize(search).length < MIN_SUBSTRING_LENGTH
  const searchText = isShort ? ` ${escapedSearch}` : escapedSearch
  const anywhere = sql`'%' || fold_text(${searchText}) || '%'`
  if (!/[\p{L}\p{N}]/u.test(search)) return [anywhere]
  return [
    anywhere,
    sql`'% ' || joined_words(plain_letters(${escapedSearch})) || '%'`,
    sql`'% ' || joined_words(written_out_letters(${escapedSearch})) || '%'`,
  ]
}

export async function readSenseiStats(tx: Tx) {
  const { total_sensei, active_sensei } = firstRow(await tx.select().from(senseiTotals))
  return { total_sensei, active_sensei, inactive_sensei: total_sensei - active_sensei }
}

/** Also ends the sessions of all members if no other instructor is active. */
async function endAccess(tx: Tx, sessions: Sessions, id: string, dojoId: string): Promise<void> {
  await sessions.endSessionsOfAccount(tx, id)
  if (!(await isDojoActive(tx, dojoId))) await sessions.endSessionsOfDojo(tx, dojoId)
  await insideDojo(tx, dojoId, (dojoTx) => renewPhotoAddresses(dojoTx, null))
}

/** The super admin only deals with the owners of a school, not with the rest of its staff. */
const isOwner = (tx: Tx) =>
  inArray(accounts.id, tx.select({ id: senseiDirectory.sensei_id }).from(senseiDirectory))

export async function requireSensei(tx: Tx, id: string): Promise<Account> {
  const [account] = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), isOwner(tx)))
  if (!account) throw notFound('Sensei')
  return account
}

export async function toggleActive(
  tx: Tx,
  sessions: Sessions,
  caller: Caller,
  id: string,
): Promise<Account> {
  const [account] = await tx
    .update(accounts)
    .set({ is_active: not(accounts.is_active) })
    .where(and(eq(accounts.id, id), isOwner(tx)))
    .returning()
  if (!account) throw notFound('Sensei')
  const { is_active, dojo_id } = account
  const dojoId = mustExist(dojo_id, 'The dojo')
  if (!is_active) await endAccess(tx, sessions, id, dojoId)
  await auditAction(
    tx,
    { id: caller.id, dojoId },
    is_active ? 'sensei activated' : 'sensei deactivated',
    { subject_id: id },
  )
  return account
}
