import { describe, expect, test } from 'vitest'
import { uniqueEmail } from '../test/fixtures.ts'
import { importBodyOfTable, requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

/** Cells that are missing at the end of a row are empty. */
function importBody(headings: string[], ...rows: string[][]) {
  const fullRows = rows.map((row) => headings.map((_, column) => row[column] ?? ''))
  return importBodyOfTable([headings, ...fullRows])
}
const preview = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports/preview', body))
const importSheet = async (sensei: Sensei, body: object) =>
  requireOk(await sensei.post('/student-imports', body))

/** Returns the ids of each student's guardians, by the student's name. */
async function importAndListGuardians(
  sensei: Sensei,
  body: object,
): Promise<Record<string, string[]>> {
  await importSheet(sensei, body)
  const students = (await sensei.get('/students')).body as any[]
  return Object.fromEntries(
    students.map(({ name, guardians }) => [name, guardians.map(({ id }: { id: string }) => id)]),
  )
}

describe('a blank status', () => {
  const QUESTION_ABOUT_BLANK = { status: '', rows: 2, means: null }
  const PROBLEM_OF_BLANK = 'Choose what a blank status means'
  const bodyWithStatuses = (heading: string, ...statuses: string[]) =>
    importBody(
      ['Name', 'DOB', heading],
      ...['Ken', 'Mia', 'Tom', 'Ana'].map((name, index) => [
        `${name} Adams`,
        `3/4/198${index}`,
        statuses[index] ?? '',
      ]),
    )
  const summarizePreview = async (body: object) => {
    const plan = await preview(await server.createSensei(), body)
    const { students, left_out, problems, statuses_in_sheet, left_out_rows } = plan
    return {
      counts: [students, left_out],
      problems: problems.map(({ message }: { message: string }) => message),
      question: statuses_in_sheet.find(({ status }: { status: string }) => status === ''),
      words: left_out_rows.map(({ words }: { words: string }) => words),
    }
  }

  test.each([
    ['Status', 'Active', 'Inactive'],
    ['Member Status', 'Current', 'Cancelled'],
    ['Left', 'No', 'Yes'],
    ['Is active', 'Current', 'Cancelled'],
  ])(
    'in the column %s raises one question if other rows have %s and %s',
    async (heading, activeValue, leftValue) => {
      expect(
        await summarizePreview(bodyWithStatuses(heading, activeValue, leftValue, ' ', 'n/a')),
      ).toMatchObject({
        counts: [1, 1],
        problems: [PROBLEM_OF_BLANK, PROBLEM_OF_BLANK],
        question: QUESTION_ABOUT_BLANK,
      })
    },
  )

  test('has the meaning that the instructor chooses', async () => {
    const body = bodyWithStatuses('Status', 'Active', 'Inactive')
    const summarizeWithAnswer = (means: string) =>
      summarizePreview({ ...body, statuses: [{ status: '', means }] })
    for (const means of ['active', 'vacation'])
      expect(await summarizeWithAnswer(means)).toEqual({
        counts: [3, 1],
        problems: [],
        question: { ...QUESTION_ABOUT_BLANK, means },
        words: ['Status: Inactive'],
      })
    expect(await summarizeWithAnswer('left')).toEqual({
      counts: [1, 3],
      problems: [],
      question: { ...QUESTION_ABOUT_BLANK, means: 'left' },
      words: ['Status: Inactive', 'Status: blank', 'Status: blank'],
    })
  })

  test('raises a question even if the instructor has explained the other statuses', async () => {
    const statuses = [
      { status: '1', means: 'active' },
      { status: '0', means: 'left' },
    ]
    expect(
      await summarizePreview({ ...bodyWithStatuses('Status', '1', '0'), statuses }),
    ).toMatchObject({
      counts: [1, 1],
      question: QUESTION_ABOUT_BLANK,
    })
  })

  test.each([
    ['Active', 'Active', [4, 0]],
    ['Active', 'Frozen', [4, 0]],
    ['Inactive', 'Frozen', [3, 1]],
  ])('means active if other rows have %s and %s', async (status, otherStatus, counts) => {
    expect(await summarizePreview(bodyWithStatuses('Status', status, otherStatus))).toMatchObject({
      counts,
      problems: [],
      question: undefined,
    })
  })

  test('raises no question if another column shows the status', async () => {
    const body = importBody(
      ['Name', 'DOB', 'Status', 'Cancel Date', 'Trial'],
      ['Ken Adams', '3/4/1980', 'Active'],
      ['Mia Adams', '3/4/1981', 'Inactive'],
      ['Tom Adams', '3/4/1982', '', '3/4/2020'],
      ['Ana Adams', '3/4/1983', '', '', 'Yes'],
      ['TEENS'],
    )
    expect(await summarizePreview(body)).toMatchObject({
      counts: [2, 3],
      problems: [],
      question: undefined,
    })
  })
})

describe('rows that may be one family or guardian', () => {
  const HEADINGS = ['Name', 'DOB', 'Email', 'Parent', 'Parent Phone', 'Parent Email']
  const CHILD_BIRTHDAY = '2015-03-04'
  const bodyOfChildren = (...rows: string[][]) =>
    importBody(HEADINGS, ...rows.map(([name = '', ...cells]) => [name, CHILD_BIRTHDAY, ...cells]))
  const previewOneQuestion = async (sensei: Sensei, body: object) => {
    const { family_questions: questions } = await preview(sensei, body)
    expect(questions).toHaveLength(1)
    return questions[0]
  }
  const withAnswer = (body: object, { id }: { id: string }, sides?: number[], is_one = true) => ({
    ...body,
    families: [{ id, is_one, sides }],
  })

  test('share an email only if the instructor says they are one family', async () => {
    const sensei = await server.createSensei()
    const email = uniqueEmail('pat')
    const body = bodyOfChildren(['Ken Adams', email], ['Mia Ruiz', email], ['Tom Lee', email])
    const question = await previewOneQuestion(sensei, body)
    expect(question).toMatchObject({ is_one: false, joined_sides: [] })
    const findJoinedSides = async (sides?: number[], isOne?: boolean) =>
      (await previewOneQuestion(sensei, withAnswer(body, question, sides, isOne))).joined_sides
    expect([
      await findJoinedSides([1]),
      await findJoinedSides([]),
      await findJoinedSides([0, 2], false),
    ]).toEqual([[], [], []])
    expect([await findJoinedSides(), await findJoinedSides([2, 1, 0])]).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ])
    const answeredBody = withAnswer(body, question, [0, 2])
    expect(await preview(sensei, answeredBody)).toMatchObject({
      guardians: 1,
      family_questions: [{ is_one: true, joined_sides: [0, 2] }],
      unused_emails: [{ email, reason: 'shared', rows: 1 }],
    })
    const guardians = await importAndListGuardians(sensei, answeredBody)
    expect(guardians).toEqual({
      'Ken Adams': [expect.any(String)],
      'Mia Ruiz': [],
      'Tom Lee': guardians['Ken Adams'],
    })
  })

  test('do not share an existing person’s email without that person', async () => {
    const sensei = await server.createSensei()
    const email = uniqueEmail('ann')
    await importSheet(sensei, bodyOfChildren(['Ken Smith', '', 'Ann Smith', '512-555-0142', email]))
    const body = bodyOfChildren(['Mia Ruiz', email], ['Tom Lee', email])
    const question = await previewOneQuestion(sensei, body)
    expect(question.sides).toMatchObject([{ is_here: true }, { rows: [0] }, { rows: [1] }])
    expect(await preview(sensei, withAnswer(body, question, [1, 2]))).toMatchObject({
      guardians: 0,
      family_questions: [{ is_one: false, joined_sides: [] }],
    })
    const guardians = await importAndListGuardians(sensei, withAnswer(body, question, [0, 1]))
    expect(guardians).toEqual({
      'Ken Smith': [expect.any(String)],
      'Mia Ruiz': guardians['Ken Smith'],
      'Tom Lee': [],
    })
  })

  test.each([
    ['three numbers', ['512-555-0142'], ['737-555-0188'], ['737-555-0199']],
    [
      'one number and three emails',
      ['512-555-0142', 'a@home.example'],
      ['512-555-0142', 'b@home.example'],
      ['512-555-0142', 'c@home.example'],
    ],
  ])('with %s are one guardian if the instructor says so', async (_, ...contacts) => {
    const sensei = await server.createSensei()
    const body = bodyOfChildren(
      ...contacts.map((contact, index) => [
        `${['Ken', 'Mia', 'Leo'][index]} Smith`,
        '',
        'Ann Smith',
        ...contact,
      ]),
    )
    const answeredBody = withAnswer(body, await previewOneQuestion(sensei, body), [0, 2])
    expect(await previewOneQuestion(sensei, answeredBody)).toMatchObject({ joined_sides: [0, 2] })
    expect((await preview(sensei, answeredBody)).guardians).toBe(2)
    const guardians = await importAndListGuardians(sensei, answeredBody)
    expect(guardians['Leo Smith']).toEqual(guardians['Ken Smith'])
    expect(guardians['Mia Smith']).not.toEqual(guardians['Ken Smith'])
  })
})
