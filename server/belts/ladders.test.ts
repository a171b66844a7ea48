import type { Ladder, Rank, Style } from '@tatami/contract/belts/belts'
import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { createDefaultBelts } from '../test/belt-dojo.ts'
import { setClock } from '../test/clock.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { findCurrentRanks } from './current-ranks.ts'
import { findMainStyle } from './styles.ts'
import { approvals, beltChanges, skillChecks } from './tables.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const readStyles = async (sensei: Sensei): Promise<Style[]> =>
  (await sensei.get('/belts')).body.styles
const readSevenBelts = async (sensei: Sensei): Promise<Ladder> =>
  (await readStyles(sensei))[0]!.ladders[0]!
const toForm = ({ name, min_age, max_age, age_counts, continues_as, ranks }: Ladder) => ({
  name,
  min_age,
  max_age,
  age_counts,
  continues_as,
  ranks: ranks.map(
    ({ students: _, ...rank }) => rank as Omit<Rank, 'id' | 'students'> & { id?: string },
  ),
})
const newRank = (name: string, overrides: object = {}) => ({
  name,
  short: null,
  colours: ['yellow'],
  pattern: 'solid',
  tags_count: 0,
  tags_colour: null,
  stripes: 0,
  belt_level: 'yellow',
  fee: null,
  min_months: null,
  min_classes: null,
  max_classes_a_day: null,
  min_age: null,
  max_age: null,
  min_stripes: null,
  needs_approval: false,
  needs_fee: false,
  skills: [] as object[],
  ...overrides,
})
/** Reads the rank that each student has in the main style, and since when. */
const readCurrentRanks = (sensei: Sensei) =>
  server.db.inDojo(sensei.dojoId, async (tx) => {
    const currentRanks = await findCurrentRanks(tx, (await findMainStyle(tx))!, null)
    return Object.fromEntries(
      [...currentRanks.values()].map(({ student_id, rank, since }) => [
        student_id,
        `${rank.name} ${since}`,
      ]),
    )
  })
const readBeltLevel = async (sensei: Sensei, id: string) =>
  (await sensei.get('/students')).body.find((student: { id: string }) => student.id === id)
    .belt_level
const readHistory = (sensei: Sensei) =>
  server.db.inDojo(sensei.dojoId, (tx) => tx.select().from(beltChanges))

test('shows the seven belts with their final ids before they are saved', async () => {
  const sensei = await server.createSensei()
  const { id } = await server.createStudent(sensei, { belt_level: 'green' })
  const readRank = async () => (await sensei.get('/students')).body[0].rank
  const [styleBefore] = await readStyles(sensei)
  await sensei.get('/belts/ready')
  await sensei.get(`/ladders/${styleBefore!.ladders[0]!.id}/conversion`)
  expect(await readRank()).toBeNull()
  const blue = styleBefore!.ladders[0]!.ranks.find(({ name }) => name === 'Blue')!
  const promoteReply = await sensei.post('/promotions', {
    promotions: [{ student_id: id, rank_id: blue.id }],
  })
  expect([promoteReply.status, (await readRank()).id]).toEqual([200, blue.id])
  const [styleAfter] = await readStyles(sensei)
  expect([styleAfter!.id, styleAfter!.ladders[0]!.id]).toEqual([
    styleBefore!.id,
    styleBefore!.ladders[0]!.id,
  ])
})

test('accepts a rank that is not saved yet, but not one of another dojo', async () => {
  const [sensei, otherSensei] = [await server.createSensei(), await server.createSensei()]
  const { ranks } = await readSevenBelts(sensei)
  const otherLadder = await readSevenBelts(otherSensei)
  const { id } = await server.createStudent(sensei)
  const saveRank = async (rank_id: string) =>
    (
      await sensei.put(
        `/students/${id}`,
        exampleStudent({ class_preferences: ['saturday'], rank_id }),
      )
    ).status
  expect(await saveRank(otherLadder.ranks[3]!.id)).toBe(404)
  expect(await saveRank(ranks[3]!.id)).toBe(200)
  expect(await readBeltLevel(sensei, id)).toBe('green')
})

const promoteTo = (sensei: Sensei, student_id: string, rank: Rank, style_id: string) =>
  server.db.inDojo(sensei.dojoId, (tx) =>
    tx.insert(beltChanges).values({
      student_id,
      style_id,
      rank_id: rank.id,
      belt_level: rank.belt_level,
      previous_belt: 'white',
      changed_by: sensei.id,
      kind: 'promotion' as const,
      given_on: '2026-01-05',
    }),
  )

test('returns the same seven belts to simultaneous requests, with student counts', async () => {
  const sensei = await server.createSensei()
  await server.createStudent(sensei, { belt_level: 'green' })
  const [firstReply, secondReply] = await Promise.all([readStyles(sensei), readStyles(sensei)])
  expect(firstReply).toEqual(secondReply)
  expect(firstReply).toMatchObject([
    {
      is_main: true,
      class_ids: [],
      ladders: [{ name: 'Seven belts', template: 'seven', is_retired: false }],
    },
  ])
  const ranks = firstReply[0]!.ladders[0]!.ranks
  expect(ranks.map(({ belt_level, students }) => `${belt_level} ${students}`)).toEqual([
    'white 0',
    'yellow 0',
    'orange 0',
    'green 1',
    'blue 0',
    'brown 0',
    'black 0',
  ])
})

test('adds, changes and removes styles, except for the main one', async () => {
  const sensei = await server.createSensei()
  const [kids, adults] = [await server.createClass(sensei), await server.createClass(sensei)]
  const { body: judo } = await sensei.post('/styles', {
    name: 'Judo',
    vacation_counts: false,
    class_ids: [kids.id],
  })
  expect(judo).toMatchObject({
    name: 'Judo',
    is_main: false,
    vacation_counts: false,
    class_ids: [kids.id],
    ladders: [],
  })
  const form = { name: 'Judo, sport', vacation_counts: true, class_ids: [adults.id, adults.id] }
  expect((await sensei.put(`/styles/${judo.id}`, form)).body).toMatchObject({
    ...form,
    class_ids: [adults.id],
  })
  expect(await sensei.put(`/styles/${judo.id}`, { ...form, class_ids: [newId()] })).toMatchObject({
    status: 404,
  })
  const [mainStyle] = await readStyles(sensei)
  expect(await sensei.delete(`/styles/${mainStyle!.id}`)).toMatchObject({
    status: 409,
    body: { detail: 'The main style can’t be removed.' },
  })
  expect(await sensei.delete(`/styles/${judo.id}`)).toMatchObject({ status: 200 })
  expect((await readStyles(sensei)).map(({ id }) => id)).toEqual([mainStyle!.id])
})

test('refuses to remove a style in which a student has a rank', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  const { body: judo } = await sensei.post('/styles', {
    name: 'Judo',
    vacation_counts: true,
    class_ids: [],
  })
  const { body: ladder } = await sensei.post(`/styles/${judo.id}/ladders`, {
    template: 'judo-usja',
  })
  await promoteTo(sensei, student.id, ladder.ranks[1], judo.id)
  expect(await sensei.delete(`/styles/${judo.id}`)).toMatchObject({ status: 409 })
  expect(
    (await readStyles(sensei))[1]!.ladders[0]!.ranks.map(({ students }) => students).slice(0, 3),
  ).toEqual([0, 1, 0])
  expect(await readBeltLevel(sensei, student.id)).toBe('white')
})

describe('a ladder form', () => {
  test('is saved with its requirements and skills, and its ranks can be reordered', async () => {
    const sensei = await server.createSensei()
    const [mainStyle] = await readStyles(sensei)
    const skills = [
      { name: 'Front kick', required: true },
      { name: 'Ukemi', required: false },
    ]
    const rankForm = newRank('8th kyu', {
      fee: 42.5,
      min_months: 3,
      tags_count: 2,
      tags_colour: 'black',
      needs_approval: true,
      skills,
    })
    const ladderForm = {
      name: 'Ours',
      min_age: 6,
      max_age: 12,
      age_counts: 'birthday',
      continues_as: mainStyle!.ladders[0]!.id,
    }
    const ranks = [newRank('9th kyu'), rankForm, newRank('7th kyu')]
    const { body: ladder } = await sensei.post(`/styles/${mainStyle!.id}/ladders`, {
      ...ladderForm,
      ranks,
    })
    expect(ladder).toMatchObject({ ...ladderForm, template: null, ranks })
    const [ninth, eighth, seventh] = toForm(ladder).ranks
    const reorderedRank = { ...eighth, skills: (eighth!.skills as object[]).toReversed() }
    const { body: savedLadder } = await sensei.put(`/ladders/${ladder.id}`, {
      ...toForm(ladder),
      ranks: [seventh, reorderedRank, ninth],
    })
    expect(savedLadder.ranks.map(({ id }: Rank) => id)).toEqual([
      seventh!.id,
      eighth!.id,
      ninth!.id,
    ])
    expect(savedLadder.ranks[1].skills.map(({ name }: { name: string }) => name)).toEqual([
      'Ukemi',
      'Front kick',
    ])
    expect((await readStyles(sensei))[0]!.ladders[1]).toEqual(savedLadder)
  })

  test('refuses ranks and skills of other ladders, and a ladder that continues itself', async () => {
    const [sensei, otherSensei] = [await server.createSensei(), await server.createSensei()]
    const ladder = await readSevenBelts(sensei),
      otherLadder = await readSevenBelts(otherSensei)
    const form = toForm(ladder)
    const saveLadder = async (change: object) => {
      const { status, body } = await sensei.put(`/ladders/${ladder.id}`, { ...form, ...change })
      return `${status} ${body.detail}`
    }
    expect(await saveLadder({ ranks: [{ ...form.ranks[0], id: otherLadder.ranks[0]!.id }] })).toBe(
      '404 Rank not found',
    )
    expect(
      await saveLadder({
        ranks: [{ ...form.ranks[0], skills: [{ id: newId(), name: 'Kick', required: true }] }],
      }),
    ).toBe('404 Skill not found')
    const [white] = form.ranks
    expect(await saveLadder({ ranks: [white, { ...white, name: 'Whiter' }] })).toBe(
      '422 A rank is listed twice.',
    )
    expect(await saveLadder({ continues_as: otherLadder.id })).toBe('404 Ladder not found')
    expect(await saveLadder({ continues_as: ladder.id })).toBe(
      '422 A ladder can’t continue as itself.',
    )
    expect(await saveLadder({ ranks: form.ranks.toReversed() })).toBe(
      '422 A higher rank must not count as a lower belt.',
    )
    expect(await sensei.put(`/ladders/${otherLadder.id}`, form)).toMatchObject({ status: 404 })
    expect(await readSevenBelts(sensei)).toEqual(ladder)
  })

  test('deletes a rank that no one had, and retires one that a student has or had', async () => {
    const sensei = await server.createSensei()
    const [holder, formerHolder, holderByBelt] = await Promise.all(
      [1, 2, 3].map(() => server.createStudent(sensei, { belt_level: 'orange' })),
    )
    await createDefaultBelts(server.db, sensei.dojoId)
    const [mainStyle] = await readStyles(sensei)
    const ladder = mainStyle!.ladders[0]!
    const [white, yellow, orange, green] = ladder.ranks
    await promoteTo(sensei, holder!.id, green!, mainStyle!.id)
    await promoteTo(sensei, formerHolder!.id, yellow!, mainStyle!.id)
    await promoteTo(sensei, formerHolder!.id, white!, mainStyle!.id)
    const ranksBefore = await readCurrentRanks(sensei)
    const { body } = await sensei.put(`/ladders/${ladder.id}`, {
      ...toForm(ladder),
      ranks: [toForm(ladder).ranks[0]],
    })
    expect(body.ranks.map(({ name }: Rank) => name)).toEqual(['White'])
    expect(await readCurrentRanks(sensei)).toEqual(ranksBefore)
    // A rank that was only inferred from the belt was added to the history.
    expect(
      (await readHistory(sensei)).findLast(({ student_id }) => student_id === holderByBelt!.id),
    ).toMatchObject({
      kind: 'conversion',
      rank_id: orange!.id,
      belt_level: 'orange',
      previous_belt: 'orange',
      act_id: null,
    })
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute('select name, place, retired_at is null as in_use from ranks order by place'),
    )
    expect(rows).toEqual([
      { name: 'White', place: 0, in_use: true },
      { name: 'Yellow', place: 1, in_use: false },
      { name: 'Orange', place: 2, in_use: false },
      { name: 'Green', place: 3, in_use: false },
    ])
  })

  test('keeps the ranks of all students when a lower rank of the same belt is added', async () => {
    setClock('2026-05-10T15:00:00Z')
    const sensei = await server.createSensei()
    const student = await server.createStudent(sensei, { belt_level: 'yellow' })
    const ladder = await readSevenBelts(sensei)
    const [white, ...otherRanks] = toForm(ladder).ranks
    await sensei.put(`/ladders/${ladder.id}`, {
      ...toForm(ladder),
      ranks: [white, newRank('Half yellow'), ...otherRanks],
    })
    expect(await readCurrentRanks(sensei)).toEqual({ [student.id]: 'Yellow 2026-05-10' })
    expect(await readBeltLevel(sensei, student.id)).toBe('yellow')
  })

  test('updates the belts of students when their rank counts as another belt', async () => {
    const sensei = await server.createSensei()
    const student = await server.createStudent(sensei, { belt_level: 'orange' })
    const ladder = await readSevenBelts(sensei)
    const ranks = toForm(ladder).ranks.map((rank) =>
      rank.name === 'Orange' ? { ...rank, belt_level: 'green' as const } : rank,
    )
    const { body } = await sensei.put(`/ladders/${ladder.id}`, { ...toForm(ladder), ranks })
    expect(body.ranks.map(({ students }: Rank) => students)).toEqual([0, 0, 1, 0, 0, 0, 0])
    expect(await readBeltLevel(sensei, student.id)).toBe('green')
  })

  test('retires a skill that was checked, and deletes other skills', async () => {
    const sensei = await server.createSensei()
    const student = await server.createStudent(sensei)
    const ladder = await readSevenBelts(sensei)
    const skills = [
      { name: 'Front kick', required: true },
      { name: 'Ukemi', required: true },
    ]
    const saveSkills = async (rankSkills: object[]) => {
      const form = toForm(ladder)
      const ranks = form.ranks.map((rank, place) =>
        place === 1 ? { ...rank, skills: rankSkills } : rank,
      )
      return (await sensei.put(`/ladders/${ladder.id}`, { ...form, ranks })).body
    }
    const [kick] = (await saveSkills(skills)).ranks[1].skills
    await server.db.inDojo(sensei.dojoId, async (tx) => {
      await tx.insert(skillChecks).values({
        student_id: student.id,
        skill_id: kick.id,
        is_checked: true,
        checked_by: sensei.id,
      })
      const approval = {
        student_id: student.id,
        rank_id: ladder.ranks[1]!.id,
        approved_at: '2026-01-05T00:00:00Z',
        approved_by: sensei.id,
      }
      await tx.insert(approvals).values(approval)
    })
    expect((await saveSkills([])).ranks[1].skills).toEqual([])
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute('select name, retired_at is null as in_use from skills'),
    )
    expect(rows).toEqual([{ name: 'Front kick', in_use: false }])
    // A form that lists the skill again restores it with its checks.
    expect((await saveSkills([kick])).ranks[1].skills).toEqual([kick])
  })
})

describe('a ladder', () => {
  test('is not removed if a student is on it, or if it is the last one', async () => {
    const sensei = await server.createSensei()
    await server.createStudent(sensei)
    const [mainStyle] = await readStyles(sensei)
    const sevenBelts = mainStyle!.ladders[0]!
    const deleteWithError = async (id: string) =>
      (await sensei.delete(`/ladders/${id}`)).body.detail
    expect(await deleteWithError(sevenBelts.id)).toBe(
      'The main style needs a ladder. Add another one first.',
    )
    const { body: karate } = await sensei.post(`/styles/${mainStyle!.id}/ladders`, {
      template: 'karate-shotokan',
    })
    expect(await deleteWithError(sevenBelts.id)).toBe(
      '1 student has a rank of this ladder. Move them to another ladder first.',
    )
    expect(await sensei.delete(`/ladders/${karate.id}`)).toMatchObject({ status: 200 })
    expect((await readStyles(sensei))[0]!.ladders).toMatchObject([
      { id: sevenBelts.id, is_retired: false },
    ])
  })

  test('is retired if it is in a student’s history', async () => {
    const sensei = await server.createSensei()
    const student = await server.createStudent(sensei)
    const [mainStyle] = await readStyles(sensei)
    const sevenBelts = mainStyle!.ladders[0]!
    const { body: karate } = await sensei.post(`/styles/${mainStyle!.id}/ladders`, {
      template: 'karate-shotokan',
    })
    await promoteTo(sensei, student.id, karate.ranks[3], mainStyle!.id)
    await promoteTo(sensei, student.id, sevenBelts.ranks[0]!, mainStyle!.id)
    expect(await sensei.delete(`/ladders/${karate.id}`)).toMatchObject({ status: 200 })
    expect((await readStyles(sensei))[0]!.ladders).toMatchObject([
      { id: sevenBelts.id, is_retired: false },
      { id: karate.id, is_retired: true },
    ])
  })
})
