import { addDays } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import { RANK_RULES } from '@tatami/contract/belts/eligibility'
import { READINESS } from '@tatami/contract/belts/readiness'
import { BELTS } from '@tatami/contract/lib/ranks'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { candidates, gradings } from '../gradings/tables.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
import { todayOf } from '../dojos/dojos.ts'
import { dojoIdOf } from '../test/fixtures.ts'
import { insertLadder, insertStyle, beltChangeRow } from '../test/ladders.ts'
import {
  randomStudent,
  type RandomStudent,
  randomLadder,
  lastDay,
  beltLevelIndex,
  unmetRequirements,
  nextRankIndex,
  readinessAt,
} from '../test/reference-eligibility.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'
import { readProgress } from './student-progress.ts'
import { approvals, beltChanges, skillChecks, styles } from './tables.ts'

const server = await startTestServer()
const TODAY = '2027-03-01'
const setClockToNoon = (day: string) => setClock(`${day}T18:00:00Z`)

/** `columns` has names and types, such as "id uuid, name text". */
const insertRows = (tx: Tx, table: string, columns: string, rows: object[]) => {
  const types = / \w+(\[\])?(?=,|$)/g
  const names = sql.raw(columns.replaceAll(types, ''))
  return tx.execute(sql`insert into ${sql.raw(table)} (${names}) select ${names}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${sql.raw(columns)})`)
}

test('finds the same missing requirements as a simple model, for random students and ladders', async () => {
  setClockToNoon(TODAY)
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  const classIds = await Promise.all(
    ['A', 'B', 'Both', 'None'].map(
      async (class_name) => (await server.createClass(sensei, { class_name })).id,
    ),
  )
  // Ladders with an even index belong to the first style, the others to the second.
  const ladders = fc.sample(randomLadder, { numRuns: 50, seed: 5 })
  const cases = fc.sample(randomStudent, { numRuns: 300, seed: 11 }).map((student) => ({
    id: newId(),
    student,
    ladder: ladders[(student.ladder * 2 + student.style) % 50]!,
  }))
  const daysBeforeToday = (daysAgo: number) => addDays(TODAY, -daysAgo)

  const progressByCase = await server.db.inDojo(dojoId, async (tx) => {
    const styleIds = [
      await insertStyle(tx, { vacation_counts: false, class_ids: [classIds[0]!, classIds[2]!] }),
      await insertStyle(tx, { is_main: false, class_ids: [classIds[1]!, classIds[2]!] }),
    ]
    const ladderRanks = new Map<
      (typeof ladders)[number],
      Awaited<ReturnType<typeof insertLadder>>
    >()
    for (const [index, ladder] of ladders.entries()) {
      const ranks = ladder.ranks.map(({ retired, skills, ...rank }, place) => ({
        ...rank,
        belt_level: BELTS[beltLevelIndex(place)]!,
        retired_at: retired ? `${TODAY}T00:00Z` : null,
        skills: skills.map((skill, skillIndex) => ({
          name: `Skill ${skillIndex}`,
          required: skill.required,
          retired_at: skill.retired ? `${TODAY}T00:00Z` : null,
        })),
      }))
      ladderRanks.set(
        ladder,
        await insertLadder(tx, styleIds[index % 2]!, ranks, {
          max_age: ladder.max_age,
          age_counts: ladder.age_counts,
        }),
      )
    }
    await insertRows(
      tx,
      'students',
      'id uuid, name text, created_at timestamptz, date_of_birth date, is_trial boolean, ' +
        'on_vacation boolean, vacation_from date, vacation_until date',
      cases.map(({ id, student: { current, ...student } }) => ({
        id,
        name: 'Ken Adams',
        created_at: `${daysBeforeToday(300)}T18:00:00Z`,
        date_of_birth: student.date_of_birth,
        is_trial: student.is_trial,
        on_vacation: current !== null && current.from >= 0,
        vacation_from: current && daysBeforeToday(current.from),
        vacation_until:
          current && current.length !== null
            ? daysBeforeToday(lastDay(current.from, current.length))
            : null,
      })),
    )
    await insertRows(
      tx,
      'past_vacations',
      'id uuid, student_id uuid, vacation_from date, vacation_until date',
      cases.flatMap(({ id, student }) =>
        student.past.map(({ from, length }) => ({
          id: newId(),
          student_id: id,
          vacation_from: daysBeforeToday(from),
          vacation_until: daysBeforeToday(Math.max(1, from - length)),
        })),
      ),
    )
    // Indexes of `classIds` for students of the first and the second style. There is no class 4.
    const classIndexes = { own: [0, 1], other: [1, 0], both: [2, 2], none: [3, 3], deleted: [4, 4] }
    await insertRows(
      tx,
      'attendance',
      'id uuid, student_id uuid, class_id uuid, class_date date, present boolean, ' +
        'created_at timestamptz',
      cases.flatMap(({ id, student }) =>
        student.marks.map((mark) => ({
          id: newId(),
          student_id: id,
          class_id: classIds[classIndexes[mark.class][student.style]!] ?? null,
          class_date: daysBeforeToday(mark.ago),
          present: mark.present,
          created_at: TODAY,
        })),
      ),
    )
    await tx
      .insert(beltChanges)
      .values(
        cases.map(({ id, student, ladder }) =>
          beltChangeRow(
            id,
            styleIds[student.style]!,
            ladderRanks.get(ladder)!.ranks[student.place % ladder.ranks.length]!.id,
            daysBeforeToday(student.since),
            { stripes: student.stripes, classes_before: student.classes_before },
          ),
        ),
      )
    for (const { id, student, ladder } of cases) {
      const nextIndex = nextRankIndex(ladder, student, TODAY)
      if (typeof nextIndex === 'number')
        await insertMetRequirements(
          tx,
          id,
          student,
          ladderRanks.get(ladder)!.ranks[nextIndex]!,
          styleIds[student.style]!,
        )
    }
    const results = []
    for (const [index, styleId] of styleIds.entries()) {
      const [style] = await tx
        .select()
        .from(styles)
        .where(sql`${styles.id} = ${styleId}`)
      for (const ahead of [0, 40]) {
        const styleProgress = await readProgress(tx, style!, null, {
          today: await todayOf(tx, dojoId),
          day: addDays(TODAY, ahead),
        })
        results.push({
          styleIndex: index,
          ahead,
          progressById: new Map(styleProgress.map((progress) => [progress.student.id, progress])),
        })
      }
    }
    return results
  })

  const coveredOutcomes = new Set<string>()
  for (const { styleIndex, ahead, progressById } of progressByCase)
    for (const { id, student, ladder } of cases.filter(
      (person) => person.student.style === styleIndex,
    )) {
      const { readiness, missing, next } = progressById.get(id)!
      const days = { today: TODAY, ahead, vacationCounts: styleIndex === 1 }
      const place = nextRankIndex(ladder, student, addDays(TODAY, ahead))
      expect({
        ahead,
        student,
        ladder,
        next: typeof next === 'string' ? next : next.rank.place,
        readiness,
        missing: missing.map((rule) => Object.values(rule)),
      }).toEqual({
        ahead,
        student,
        ladder,
        next: place,
        readiness: readinessAt(ladder, student, days),
        missing: typeof place === 'string' ? [] : unmetRequirements(ladder, student, place, days),
      })
      for (const { rule } of missing) coveredOutcomes.add(rule)
      coveredOutcomes.add(readiness)
    }
  expect(coveredOutcomes.size).toBe(RANK_RULES.length + READINESS.length)
})

/** Inserts the student's skill checks, approval and belt test fee. */
async function insertMetRequirements(
  tx: Tx,
  student_id: string,
  student: RandomStudent,
  rank: { id: string; skills: string[] },
  style_id: string,
) {
  const checks = student.checks.flatMap(({ skill, is_checked }) =>
    rank.skills[skill]
      ? [{ student_id, skill_id: rank.skills[skill], is_checked, checked_by: student_id }]
      : [],
  )
  if (checks.length > 0) await tx.insert(skillChecks).values(checks)
  if (student.approval !== 'none')
    await tx.insert(approvals).values({
      student_id,
      rank_id: rank.id,
      approved_at: `${TODAY}T00:00Z`,
      approved_by: student_id,
      withdrawn_at: student.approval === 'withdrawn' ? `${TODAY}T00:00Z` : null,
    })
  if (student.fee === 'none') return
  if (student.fee === 'waived') {
    const grading_id = newId()
    await tx.insert(gradings).values({ id: grading_id, style_id, name: 'Spring', held_on: TODAY })
    await tx
      .insert(candidates)
      .values({ grading_id, student_id, to_rank_id: rank.id, is_fee_waived: true })
    return
  }
  const charge_id = newId()
  const charged_on = addDays(
    TODAY,
    student.fee === 'paid before' ? -student.since : 1 - student.since,
  )
  await tx.insert(charges).values({ id: charge_id, student_id, kind: 'grading', charged_on })
  const line = { act_id: newId(), student_id, charge_id, made_on: charged_on }
  const lineKindByCase = {
    paid: 'payment',
    'paid before': 'payment',
    forgiven: 'write_off',
    'taken back': 'charge',
    owed: 'payment',
  } as const
  await tx.insert(ledgerLines).values([
    { ...line, kind: 'charge', amount: 40 },
    { ...line, kind: lineKindByCase[student.fee], amount: student.fee === 'owed' ? -39 : -40 },
  ])
}
