import { beltsApi } from '@tatami/contract/belts/belts'
import { refusalWithout, type Right } from '@tatami/contract/rights'
import { describe, expect, test } from 'vitest'
import { createMainLadder } from '../test/belt-dojo.ts'
import { importBodyOfCsv, requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const preview = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports/preview', body))
const importSheet = async (sensei: Pick<Sensei, 'post'>, body: object) =>
  requireOk(await sensei.post('/student-imports', body))
type StudentRow = {
  name: string
  belt_level: string
  /** Null until the seven belts are changed. */
  rank: { name: string; stripes: number } | null
}
const listRanks = async (sensei: Sensei) => {
  const students: StudentRow[] = (await sensei.get('/students')).body
  return students.map(({ name, belt_level, rank }) => [
    name,
    rank?.name ?? belt_level,
    rank?.stripes ?? 0,
  ])
}
const findNotes = async (sensei: Sensei, name: string) => {
  const students: { id: string; name: string }[] = (await sensei.get('/students')).body
  const id = students.find((student) => student.name === name)?.id
  return (await sensei.get(`/students/${id}`)).body.private_notes
}
const findMainStyle = async (sensei: Sensei) =>
  (await sensei.get(beltsApi.show.path)).body.styles[0]
const addTemplate = async (sensei: Sensei, template: string) =>
  requireOk(await sensei.post(`/styles/${(await findMainStyle(sensei)).id}/ladders`, { template }))

describe('stripes that the school’s belts cannot have', () => {
  const body = importBodyOfCsv(`Name,Belt
Ana Diaz,White w/ 1 stripe
Ken Adams,White III
Mia Ruiz,Blue 2 stripes
Tom Lee,Yellow`)

  test('raise a question, and rows with them are not imported until it is answered', async () => {
    const sensei = await server.createSensei()
    const plan = await preview(sensei, body)
    expect(plan).toMatchObject({
      students: 1,
      rows_with_problems: 3,
      extra_stripes_in_sheet: {
        rows: 3,
        belts: [
          { name: 'White', stripes: 3 },
          { name: 'Blue', stripes: 2 },
        ],
      },
    })
    expect(plan.problems[1]).toEqual({
      row: 1,
      field: 'belt_level',
      message: 'Your White belt can’t have 3 stripes yet',
    })
  })

  test('are kept, and every belt may have four stripes, if the instructor says so', async () => {
    const sensei = await server.createSensei()
    const answeredBody = { ...body, extra_stripes: 'add' }
    expect(await preview(sensei, answeredBody)).toMatchObject({
      students: 4,
      rows_with_problems: 0,
      notices: [],
      extra_stripes_in_sheet: { rows: 3 },
    })
    expect((await findMainStyle(sensei)).ladders[0].ranks[0].stripes).toBe(0)
    await importSheet(sensei, answeredBody)
    expect(await listRanks(sensei)).toEqual([
      ['Ana Diaz', 'White', 1],
      ['Ken Adams', 'White', 3],
      ['Mia Ruiz', 'Blue', 2],
      ['Tom Lee', 'Yellow', 0],
    ])
    const { ladders } = await findMainStyle(sensei)
    const ranks: { name: string; stripes: number }[] = ladders[0].ranks
    expect(ranks.map(({ stripes }) => stripes)).toEqual([4, 4, 4, 4, 4, 4, 4])
    expect(await preview(sensei, body)).toMatchObject({ extra_stripes_in_sheet: { rows: 0 } })
  })

  test('are saved in the notes only if the instructor says so', async () => {
    const sensei = await server.createSensei()
    await importSheet(sensei, { ...body, extra_stripes: 'notes' })
    expect(await findNotes(sensei, 'Ken Adams')).toBe('Belt: White III')
    expect((await listRanks(sensei))[1]).toEqual(['Ken Adams', 'white', 0])
  })

  test('are kept, and the school’s own ranks may have the highest number of them', async () => {
    const sensei = await server.createSensei()
    await createMainLadder(server.db, sensei.dojoId)
    const bodyOfRanks = importBodyOfCsv(`Name,Belt,Stripes
Ken Adams,8th kyu,6
Mia Ruiz,7th Kyu (yellow),2`)
    expect((await preview(sensei, bodyOfRanks)).extra_stripes_in_sheet).toEqual({
      rows: 1,
      belts: [{ name: '8th kyu', stripes: 6 }],
    })
    await importSheet(sensei, { ...bodyOfRanks, extra_stripes: 'add' })
    expect(await listRanks(sensei)).toEqual([
      ['Ken Adams', '8th kyu', 6],
      ['Mia Ruiz', '7th kyu', 2],
    ])
    const { ladders } = await findMainStyle(sensei)
    const ranks: { stripes: number }[] = ladders[0].ranks
    expect(ranks.map(({ stripes }) => stripes)).toEqual([6, 6, 6, 6, 6])
  })

  test('can be allowed only by staff with the right to change the settings', async () => {
    const sensei = await server.createSensei()
    const importRights: Right[] = [
      'students.read',
      'students.contact',
      'students.edit',
      'money.see',
    ]
    const staff = await server.createStaff(sensei, { rights: importRights })
    expect(await staff.post('/student-imports', { ...body, extra_stripes: 'add' })).toMatchObject({
      status: 403,
      body: { detail: refusalWithout('settings') },
    })
    expect(await listRanks(sensei)).toEqual([])
    expect((await importSheet(staff, { ...body, extra_stripes: 'notes' })).students).toBe(4)
  })

  test('do not change the belts if only existing students have them', async () => {
    const sensei = await server.createSensei()
    const memberBody = importBodyOfCsv(`Name,Phone,DOB,Belt
Ken Adams,512-555-0142,3/4/1990,White w/ 2 stripes`)
    await importSheet(sensei, { ...memberBody, extra_stripes: 'notes' })
    await importSheet(sensei, { ...memberBody, extra_stripes: 'add' })
    expect((await findMainStyle(sensei)).ladders[0].ranks[0].stripes).toBe(0)
  })
})

describe('black belt degrees', () => {
  const body = importBodyOfCsv(`Name,Belt
Ana Diaz,Shodan
Ken Adams,Black 2nd degree
Mia Ruiz,3rd Dan`)

  test('raise a question if no belt shows them, and are saved in the notes', async () => {
    const sensei = await server.createSensei()
    expect(await preview(sensei, body)).toMatchObject({
      students: 1,
      rows_with_problems: 2,
      extra_stripes_in_sheet: { rows: 0 },
      belts_in_sheet: [
        { belt: 'Black 2nd degree', is_known: false },
        { belt: '3rd Dan', is_known: false },
        { belt: 'Shodan', is_known: true, belt_level: 'black' },
      ],
    })
    const belts = [
      { belt: 'Black 2nd degree', belt_level: 'black' },
      { belt: '3rd Dan', belt_level: 'black' },
    ]
    await importSheet(sensei, { ...body, belts })
    expect(await listRanks(sensei)).toMatchObject([
      ['Ana Diaz', 'black', 0],
      ['Ken Adams', 'black', 0],
      ['Mia Ruiz', 'black', 0],
    ])
    expect(await findNotes(sensei, 'Ken Adams')).toBe('Belt: Black 2nd degree')
  })

  test.each([
    ['karate-shotokan', ['Shodan (1st dan)', 'Nidan (2nd dan)', 'Sandan (3rd dan)'], [0, 0, 0]],
    ['taekwondo', ['1st dan', '2nd dan', '3rd dan'], [0, 0, 0]],
    ['bjj-adults', ['Black', 'Black', 'Black'], [1, 2, 3]],
  ])('become ranks of the ladder %s', async (template, names, stripes) => {
    const sensei = await server.createSensei()
    await addTemplate(sensei, template)
    expect(await preview(sensei, body)).toMatchObject({ students: 3, rows_with_problems: 0 })
    await importSheet(sensei, body)
    const ranks = await listRanks(sensei)
    expect(ranks.map(([, rank]) => rank)).toEqual(names)
    expect(ranks.map(([, , count]) => count)).toEqual(stripes)
    expect(await findNotes(sensei, 'Ken Adams')).toBeNull()
  })
})
