import type { ConversionPreview, Ladder, Style } from '@tatami/contract/belts/belts'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import type { StudentFields } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { suggestRank } from './conversion.ts'
import { type CurrentRank, findCurrentRanks } from './current-ranks.ts'
import { findMainStyle } from './styles.ts'
import { beltChanges } from './tables.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const readMainStyle = async (sensei: Sensei): Promise<Style> =>
  (await sensei.get('/belts')).body.styles[0]
const addTemplate = async (sensei: Sensei, style: Style, template: string): Promise<Ladder> =>
  (await sensei.post(`/styles/${style.id}/ladders`, { template })).body
const readPreview = async (sensei: Sensei, { id }: Ladder): Promise<ConversionPreview> =>
  (await sensei.get(`/ladders/${id}/conversion`)).body
const acceptSuggestions = ({ belts }: ConversionPreview) => ({
  belts: belts.map(({ from_rank_id, suggested_rank_id }) => ({
    from_rank_id,
    to_rank_id: suggested_rank_id,
  })),
})
const convert = (sensei: Sensei, { id }: Ladder, form: object) =>
  sensei.post(`/ladders/${id}/conversion`, form)
const readRanks = (sensei: Sensei): Promise<CurrentRank[]> =>
  server.db.inDojo(sensei.dojoId, async (tx) => [
    ...(await findCurrentRanks(tx, (await findMainStyle(tx))!, null)).values(),
  ])
const readBeltChanges = (sensei: Sensei) =>
  server.db.inDojo(sensei.dojoId, (tx) => tx.select().from(beltChanges))
const readState = async (sensei: Sensei) => ({
  belts: (await sensei.get('/belts')).body,
  students: (await sensei.get('/students')).body.map(
    ({ id, belt_level }: { id: string; belt_level: string }) => [id, belt_level],
  ),
  currentRanks: (await readRanks(sensei)).toSorted((a, b) =>
    a.student_id < b.student_id ? -1 : 1,
  ),
})

/** Creates a dojo with students on the seven belts, and adds a ladder from a template. */
async function setUpDojo(template: string, students: StudentFields[]) {
  const sensei = await server.createSensei()
  for (const student of students) await server.createStudent(sensei, student)
  const style = await readMainStyle(sensei)
  return {
    sensei,
    style,
    sevenBelts: style.ladders[0]!,
    ladder: await addTemplate(sensei, style, template),
  }
}
const findRankName = ({ ranks }: Ladder, id: string) => ranks.find((rank) => rank.id === id)?.name

test('previews how many students have each belt, and suggests a rank for it', async () => {
  const belts = ['yellow', 'white', 'brown', 'yellow', 'black'] as const
  const { sensei, ladder } = await setUpDojo(
    'karate-shotokan',
    belts.map((belt_level) => ({ belt_level })),
  )
  const preview = await readPreview(sensei, ladder)
  expect(
    preview.belts.map(
      ({ name, students, suggested_rank_id }) =>
        `${students} ${name} → ${findRankName(ladder, suggested_rank_id)}`,
    ),
  ).toEqual([
    '1 White → 10th kyu',
    '2 Yellow → 8th kyu',
    '1 Brown → 3rd kyu',
    '1 Black → Shodan (1st dan)',
  ])
})

test('suggests ranks in proportion if several ranks count as the same belt', () => {
  const createRanks = (...levels: ('white' | 'yellow' | 'brown')[]) =>
    levels.map((belt_level, index) => ({
      id: `${belt_level} ${index}`,
      belt_level,
      retired_at: null,
    }))
  const suggestIds = (
    oldRanks: ReturnType<typeof createRanks>,
    newRanks: ReturnType<typeof createRanks>,
  ) => oldRanks.map((rank) => suggestRank(rank, oldRanks, newRanks).id)
  expect(
    suggestIds(createRanks('brown', 'brown', 'brown', 'brown'), createRanks('brown', 'brown')),
  ).toEqual(['brown 0', 'brown 0', 'brown 1', 'brown 1'])
  expect(
    suggestIds(createRanks('brown', 'brown'), createRanks('brown', 'brown', 'brown', 'brown')),
  ).toEqual(['brown 0', 'brown 2'])
  expect(
    suggestIds(createRanks('white', 'yellow', 'brown'), createRanks('white', 'brown')),
  ).toEqual(['white 0', 'white 0', 'brown 1'])
  expect(suggestIds(createRanks('white'), createRanks('yellow', 'brown'))).toEqual(['yellow 0'])
})

test('converts all students, and keeps their promotion day, classes and stripes', async () => {
  setClock('2026-05-10T15:00:00Z')
  const { sensei, style, sevenBelts, ladder } = await setUpDojo('bjj-adults', [
    { name: 'Mia Lopez', belt_level: 'blue', date_of_birth: '1990-01-01' },
    { name: 'Leo Brand', belt_level: 'white', date_of_birth: '1990-01-01' },
  ])
  const mia = (await readRanks(sensei)).find(({ rank }) => rank.belt_level === 'blue')!
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.insert(beltChanges).values({
      student_id: mia.student_id,
      style_id: style.id,
      rank_id: mia.rank.id,
      belt_level: 'blue',
      previous_belt: 'blue',
      changed_by: sensei.id,
      kind: 'import',
      given_on: '2025-11-30',
      classes_before: 31,
      stripes: 9, // A belt of the new ladder has at most 4.
    }),
  )
  setClock('2026-06-01T15:00:00Z')
  const { body } = await convert(
    sensei,
    ladder,
    acceptSuggestions(await readPreview(sensei, ladder)),
  )
  expect(body).toMatchObject({ students: 2 })
  const blueRank = ladder.ranks.find(({ belt_level }) => belt_level === 'blue')!
  expect(
    (await readRanks(sensei)).find(({ student_id }) => student_id === mia.student_id),
  ).toMatchObject({
    rank: { id: blueRank.id },
    since: '2025-11-30',
    classes_before: 31,
    stripes: 4,
  })
  const rows = (await readBeltChanges(sensei)).filter(({ kind }) => kind === 'conversion')
  expect(rows.map(({ act_id, given_on }) => `${act_id} ${given_on}`).toSorted()).toEqual([
    `${body.act_id} 2025-11-30`,
    `${body.act_id} 2026-05-10`,
  ])
  const [oldLadder, newLadder] = (await readMainStyle(sensei)).ladders
  expect([oldLadder!.id, oldLadder!.is_retired, newLadder!.is_retired]).toEqual([
    sevenBelts.id,
    true,
    false,
  ])
  expect((await readPreview(sensei, ladder)).belts).toEqual([])
  const auditEntry = (await sensei.get('/audit-log?kind=belts')).body[0]
  expect(auditEntry).toMatchObject({
    action: 'belts converted',
    details: { students: 2, name: ladder.name },
  })
})

test('converts a belt to the chosen rank, and updates `belt_level`', async () => {
  const { sensei, sevenBelts, ladder } = await setUpDojo('karate-shotokan', [
    { belt_level: 'orange' },
    { belt_level: 'white' },
  ])
  const orange = sevenBelts.ranks.find(({ belt_level }) => belt_level === 'orange')!
  const thirdKyu = ladder.ranks.find(({ name }) => name === '3rd kyu')!
  const { body } = await convert(sensei, ladder, {
    belts: [{ from_rank_id: orange.id, to_rank_id: thirdKyu.id }],
  })
  expect(body).toMatchObject({ students: 1 })
  expect(
    (await sensei.get('/students')).body
      .map(({ belt_level }: { belt_level: string }) => belt_level)
      .toSorted(),
  ).toEqual(['brown', 'white'])
  // The student with the white belt is still on the seven belts.
  expect((await readMainStyle(sensei)).ladders.map(({ is_retired }) => is_retired)).toEqual([
    false,
    false,
  ])
})

test('converts only students of an age for which the ladder is', async () => {
  setClock('2026-05-10T15:00:00Z')
  const { sensei, style, sevenBelts, ladder } = await setUpDojo('karate-juniors', [
    { name: 'Mia Lopez', date_of_birth: '2010-05-11' }, // Is 15, the maximum age for juniors.
    { name: 'Leo Brand', date_of_birth: '2010-05-10' }, // Turns 16 today.
  ])
  const adults = await addTemplate(sensei, style, 'karate-shotokan')
  const preview = await readPreview(sensei, ladder)
  expect(preview.belts.map(({ students }) => students)).toEqual([1])
  expect((await convert(sensei, ladder, acceptSuggestions(preview))).body).toMatchObject({
    students: 1,
  })
  expect((await readMainStyle(sensei)).ladders.map(({ is_retired }) => is_retired)).toEqual([
    false,
    false,
    false,
  ])
  await convert(
    sensei,
    adults,
    acceptSuggestions({
      belts: (await readPreview(sensei, adults)).belts.filter(({ name }) => name === 'White'),
    }),
  )
  const mainStyle = await readMainStyle(sensei)
  expect(
    mainStyle.ladders.map(({ ranks, is_retired }) => [
      ranks.reduce((sum, { students }) => sum + students, 0),
      is_retired,
    ]),
  ).toEqual([
    [0, true],
    [1, false],
    [1, false],
  ])
  expect(mainStyle.ladders[0]!.id).toBe(sevenBelts.id)
})

test('refuses a rank of another dojo, style or ladder, and changes nothing', async () => {
  const { sensei, sevenBelts, ladder } = await setUpDojo('karate-shotokan', [{}])
  const otherDojo = await setUpDojo('karate-shotokan', [{}])
  const { body: judo } = await sensei.post('/styles', {
    name: 'Judo',
    vacation_counts: true,
    class_ids: [],
  })
  const otherLadder = await addTemplate(sensei, judo, 'judo-usja')
  const stateBefore = await readState(sensei)
  const from_rank_id = sevenBelts.ranks[0]!.id
  const to_rank_id = ladder.ranks[0]!.id
  for (const wrongBelt of [
    { from_rank_id: otherDojo.sevenBelts.ranks[0]!.id, to_rank_id },
    { from_rank_id, to_rank_id: otherDojo.ladder.ranks[0]!.id },
    { from_rank_id: otherLadder.ranks[0]!.id, to_rank_id },
    { from_rank_id, to_rank_id: otherLadder.ranks[0]!.id },
    { from_rank_id, to_rank_id: sevenBelts.ranks[1]!.id },
  ])
    expect(
      await convert(sensei, ladder, { belts: [{ from_rank_id, to_rank_id }, wrongBelt] }),
    ).toMatchObject({ status: 404 })
  const duplicateBelts = [1, 2].map((index) => ({
    from_rank_id,
    to_rank_id: ladder.ranks[index]!.id,
  }))
  expect(await convert(sensei, ladder, { belts: duplicateBelts })).toMatchObject({
    status: 422,
    body: { detail: 'A belt is listed twice.' },
  })
  expect(
    await convert(sensei, otherDojo.ladder, { belts: [{ from_rank_id, to_rank_id }] }),
  ).toMatchObject({ status: 404 })
  expect(await readState(sensei)).toEqual(stateBefore)
})

test('undoes a conversion, and restores the ladders that it retired', async () => {
  setClock('2026-05-10T15:00:00Z')
  const { sensei, style, sevenBelts, ladder } = await setUpDojo(
    'karate-shotokan',
    (['white', 'orange', 'black'] as const).map((belt_level) => ({ belt_level })),
  )
  // The stripe is dated after the belt. A conversion keeps the day of the belt.
  const white = (await readRanks(sensei)).find(({ rank }) => rank.id === sevenBelts.ranks[0]!.id)!
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.insert(beltChanges).values({
      student_id: white.student_id,
      style_id: style.id,
      rank_id: white.rank.id,
      belt_level: 'white',
      previous_belt: 'white',
      changed_by: sensei.id,
      kind: 'stripe',
      given_on: '2026-05-11',
      stripes: 2,
    }),
  )
  const stateBefore = await readState(sensei)
  expect(stateBefore.currentRanks.map(({ stripes }) => stripes).toSorted((a, b) => a - b)).toEqual([
    0, 0, 2,
  ])
  setClock('2026-05-12T15:00:00Z')
  const { body } = await convert(
    sensei,
    ladder,
    acceptSuggestions(await readPreview(sensei, ladder)),
  )
  expect((await readRanks(sensei)).map(({ rank, stripes }) => [rank.ladder_id, stripes])).toEqual(
    [1, 2, 3].map(() => [ladder.id, 0]),
  )
  expect(await sensei.post(`/promotions/acts/${body.act_id}/undo`)).toMatchObject({
    status: 200,
    body: { undone: 3 },
  })
  expect(await readState(sensei)).toEqual(stateBefore)
})

test('refuses to convert students to a retired ladder', async () => {
  const { sensei, sevenBelts, ladder } = await setUpDojo('karate-shotokan', [{}])
  await convert(sensei, ladder, acceptSuggestions(await readPreview(sensei, ladder)))
  expect(await sensei.get(`/ladders/${sevenBelts.id}/conversion`)).toMatchObject({
    status: 409,
    body: { detail: 'This ladder is retired.' },
  })
  const backToSevenBelts = {
    belts: [{ from_rank_id: ladder.ranks[0]!.id, to_rank_id: sevenBelts.ranks[0]!.id }],
  }
  expect(await convert(sensei, sevenBelts, backToSevenBelts)).toMatchObject({ status: 409 })
})
