import { describe, expect, test } from 'vitest'
import { uniqueEmail } from '../test/fixtures.ts'
import { startMailServer } from '../test/mail-server.ts'
import { importBodyOfTable, requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const { smtpUrl } = await startMailServer()
const server = await startTestServer({ smtpUrl })
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const HEADINGS = ['Name', 'DOB', 'Email', 'Phone', 'Parent', 'Parent Email', 'Parent Phone']
/** Cells that are missing at the end of a row are empty. */
function importBody(...rows: string[][]) {
  const fullRows = rows.map((row) => HEADINGS.map((_, column) => row[column] ?? ''))
  return importBodyOfTable([HEADINGS, ...fullRows])
}
type Body = ReturnType<typeof importBody> & Record<string, unknown>

const preview = async (sensei: Sensei, body: Body) =>
  requireOk(await sensei.post('/student-imports/preview', body))
const importSheet = async (sensei: Sensei, body: Body) =>
  requireOk(await sensei.post('/student-imports', body))

/** Student → guardians, such as "Ann Smith 1". The number shows which guardians are one person. */
async function importAndListFamilies(sensei: Sensei, body: Body): Promise<Record<string, string>> {
  await importSheet(sensei, body)
  return listFamilies(sensei)
}
async function listFamilies(sensei: Sensei): Promise<Record<string, string>> {
  const students = (await sensei.get('/students')).body as any[]
  const numbers = new Map<string, number>()
  const findGuardianNumber = (id: string) => {
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    return number
  }
  const describeGuardians = (student: any) =>
    student.guardians.map(({ id, name }: any) => `${name} ${findGuardianNumber(id)}`).join(', ')
  return Object.fromEntries(students.map((student) => [student.name, describeGuardians(student)]))
}
const CHILD_BIRTHDAY = '2015-03-04'
const ADULT_BIRTHDAY = '1984-03-04'

describe('a placeholder address', () => {
  const names = ['Ken Adams', 'Mia Ruiz', 'Tom Lee', 'Ana Diaz']
  test.each([
    'noemail@noemail.com',
    'NoEmail@example.org',
    'none@none.com',
    'test@test.com',
    'na@example.com',
    'no-email-given@example.com',
    'donthaveone@example.com',
    'x@x.com',
    'abc@abc.com',
    'asdf@asdf.com',
    'unknown@example.com',
    'noreply@example.com',
    'email@email.com',
    'getemail@example.com',
    'student@dojo.com',
  ])('such as %s does not connect families', async (address) => {
    const sensei = await server.createSensei()
    const body = importBody(...names.map((name) => [name, CHILD_BIRTHDAY, address]), [
      'Pat Stone',
      ADULT_BIRTHDAY,
      address,
    ])
    const plan = await preview(sensei, body)
    expect([plan.guardians, plan.families, plan.invitations]).toEqual([0, 0, 0])
    const families = await importAndListFamilies(sensei, body)
    expect(families).toEqual({
      'Ken Adams': '',
      'Mia Ruiz': '',
      'Tom Lee': '',
      'Ana Diaz': '',
      'Pat Stone': '',
    })
    const secondPlan = await preview(sensei, body)
    expect([secondPlan.guardians, secondPlan.families]).toEqual([0, 0])
  })

  test('does not connect siblings or guardians', async () => {
    const sensei = await server.createSensei()
    const noEmail = 'noemail@example.com'
    expect(
      await importAndListFamilies(
        sensei,
        importBody(
          ['Leo Kim', CHILD_BIRTHDAY, noEmail],
          ['Eva Kim', CHILD_BIRTHDAY, noEmail],
          ['Ida Cho', CHILD_BIRTHDAY, '', '', 'Mei Cho', noEmail, '512-555-0142'],
          ['Gus Hill', CHILD_BIRTHDAY, '', '', 'Joan Hill', noEmail, '512-555-0143'],
        ),
      ),
    ).toEqual({ 'Leo Kim': '', 'Eva Kim': '', 'Ida Cho': 'Mei Cho 2', 'Gus Hill': 'Joan Hill 1' })
  })

  test('is reported with the number of rows that have it', async () => {
    const sensei = await server.createSensei()
    const body = importBody(...names.map((name) => [name, CHILD_BIRTHDAY, 'noemail@noemail.com']))
    const { unused_emails, notices } = await preview(sensei, body)
    expect(unused_emails).toEqual([
      { email: 'noemail@noemail.com', reason: 'placeholder', rows: 4 },
    ])
    expect(notices.map(({ row, field }: any) => [row, field])).toEqual(
      [0, 1, 2, 3].map((row) => [row, 'email']),
    )
  })
})

test('does not make an instructor a guardian of students with the instructor’s email', async () => {
  const sensei = await server.createSensei()
  const instructor = (await sensei.get('/profile')).body
  const [localPart, domain] = instructor.email.split('@')
  const surname = instructor.name.split(' ').at(-1)
  const body = importBody(
    ['Ken Adams', CHILD_BIRTHDAY, instructor.email.toUpperCase()],
    ['Mia Ruiz', CHILD_BIRTHDAY, `${localPart}+mia@${domain}`],
    ['Tom Lee', CHILD_BIRTHDAY, '', '', 'Bo Lee', instructor.email],
  )
  const plan = await preview(sensei, body)
  expect([plan.family_questions, plan.unused_emails]).toEqual([
    [],
    [{ email: instructor.email, reason: 'staff', rows: 3 }],
  ])
  expect(await importAndListFamilies(sensei, body)).toEqual({
    'Ken Adams': '',
    'Mia Ruiz': '',
    'Tom Lee': 'Bo Lee 1',
  })
  // A child with the instructor's surname may be the instructor's, so we ask.
  const childBody = importBody([`Zoe ${surname}`, CHILD_BIRTHDAY, instructor.email])
  const { family_questions: questions } = await preview(sensei, childBody)
  expect(questions).toMatchObject([{ about: 'family', is_one: false }])
  const families = [{ id: questions[0].id, is_one: true }]
  const familyByStudent = await importAndListFamilies(sensei, { ...childBody, families })
  expect(familyByStudent[`Zoe ${surname}`]).toMatch(new RegExp(`${surname} 2$`))
  expect((await preview(sensei, childBody)).family_questions).toEqual([])
})

test('raises no question about an address with more than six surnames', async () => {
  const sensei = await server.createSensei()
  const surnames = ['Adams', 'Ruiz', 'Lee', 'Diaz', 'Kim', 'Park', 'Bell']
  const rows = surnames.map((surname) => [`Ken ${surname}`, CHILD_BIRTHDAY, 'club@home.example'])
  const plan = await preview(sensei, importBody(...rows))
  expect([plan.family_questions, plan.guardians]).toEqual([[], 0])
  expect(plan.unused_emails).toMatchObject([{ reason: 'crowd', rows: 7 }])
  // The address is saved in the notes.
  await importSheet(sensei, importBody(...rows))
  const [student] = (await sensei.get('/students')).body
  expect((await sensei.get(`/students/${student.id}`)).body.private_notes).toBe(
    'Email: club@home.example',
  )
})

describe('a shared address', () => {
  test('with two surnames makes no family until the instructor says so', async () => {
    const sensei = await server.createSensei()
    const email = uniqueEmail('pat')
    const body = importBody(
      ['Ken Adams', CHILD_BIRTHDAY, email],
      ['Mia Ruiz', CHILD_BIRTHDAY, email],
    )
    const plan = await preview(sensei, body)
    expect(plan.guardians).toBe(0)
    expect(plan.family_questions).toEqual([
      {
        id: expect.any(String),
        about: 'family',
        is_one: false,
        joined_sides: [],
        sides: [
          {
            rows: [0],
            is_here: false,
            students_here: [],
            students: ['Ken Adams'],
            guardians: [],
            emails: [email],
            phones: [],
          },
          {
            rows: [1],
            is_here: false,
            students_here: [],
            students: ['Mia Ruiz'],
            guardians: [],
            emails: [email],
            phones: [],
          },
        ],
      },
    ])
    const families = [{ id: plan.family_questions[0].id, is_one: true }]
    expect(await preview(sensei, { ...body, families })).toMatchObject({
      guardians: 1,
      families: 1,
      family_questions: [{ is_one: true }],
      unused_emails: [],
    })
    // The answer is only about these rows. With a third row, the question is asked again.
    const extendedBody = importBody(...body.rows.map((row) => [...row]), [
      'Tom Lee',
      CHILD_BIRTHDAY,
      email,
    ])
    expect(await preview(sensei, { ...extendedBody, families })).toMatchObject({
      guardians: 0,
      family_questions: [{ is_one: false }],
    })
    expect(await importAndListFamilies(sensei, { ...body, families })).toEqual({
      'Ken Adams': 'Parent of Ken Adams 1',
      'Mia Ruiz': 'Parent of Ken Adams 1',
    })
  })

  test.each([
    ['one surname', 'Diaz', 'Diaz', '', ''],
    ['a hyphenated surname', 'Diaz', 'Diaz-Lopez', '512-555-0142', '512-555-0142'],
    ['two surnames in another order', 'Lopez Diaz', 'Diaz Lopez', '', ''],
    ['one number in two formats', 'Diaz', 'Diaz', '(512) 555-0142', '+1 512 555 0142'],
    ['different accents and case', 'Díaz', 'DIAZ', '', ''],
  ])('with %s belongs to one family', async (_, surname, otherSurname, phone, otherPhone) => {
    const sensei = await server.createSensei()
    const email = uniqueEmail('ana')
    const plan = await preview(
      sensei,
      importBody(
        [`Leo ${surname}`, CHILD_BIRTHDAY, email, phone],
        [`Mia ${otherSurname}`, CHILD_BIRTHDAY, email.toUpperCase(), otherPhone],
      ),
    )
    expect([plan.family_questions, plan.guardians, plan.families]).toEqual([[], 1, 1])
  })

  test('with different numbers raises a question, unless one number is unusable', async () => {
    const sensei = await server.createSensei()
    const email = uniqueEmail('ana')
    const createBody = (phone: string, otherPhone: string) =>
      importBody(
        ['Leo Diaz', CHILD_BIRTHDAY, email, phone],
        ['Mia Diaz', CHILD_BIRTHDAY, email, otherPhone],
      )
    const countQuestionsAndGuardians = async (phone: string, otherPhone: string) => {
      const plan = await preview(sensei, createBody(phone, otherPhone))
      return [plan.family_questions.length, plan.guardians]
    }
    expect(await countQuestionsAndGuardians('512-555-0142', '737-555-0188')).toEqual([1, 0])
    expect(await countQuestionsAndGuardians('512-555-0142', '888-888-8888')).toEqual([0, 1])
    expect(await countQuestionsAndGuardians('512-555-0142', '')).toEqual([0, 1])
  })

  test('belongs to a family with two surnames if both rows name the parent', async () => {
    const sensei = await server.createSensei()
    const email = uniqueEmail('rosa')
    const parent = ['Rosa Ruiz', email, '512-555-0142']
    expect(
      await importAndListFamilies(
        sensei,
        importBody(
          ['Mia Cole', CHILD_BIRTHDAY, '', '', ...parent],
          ['Hal Firth', CHILD_BIRTHDAY, '', '', ...parent],
        ),
      ),
    ).toEqual({ 'Mia Cole': 'Rosa Ruiz 1', 'Hal Firth': 'Rosa Ruiz 1' })
  })

  test('with a plus tag is the same as the address without it', async () => {
    const sensei = await server.createSensei()
    const plan = await preview(
      sensei,
      importBody(
        ['Leo Diaz', CHILD_BIRTHDAY, 'ana+leo@home.example'],
        ['Mia Stone', CHILD_BIRTHDAY, 'Ana@home.example'],
      ),
    )
    expect([plan.family_questions.length, plan.guardians]).toEqual([1, 0])
  })

  test('of an office raises a question even for one surname', async () => {
    const sensei = await server.createSensei()
    const office = 'info@kim-plumbing.example'
    const plan = await preview(
      sensei,
      importBody(['Leo Kim', CHILD_BIRTHDAY, office], ['Eva Kim', CHILD_BIRTHDAY, office]),
    )
    expect([plan.family_questions.length, plan.guardians]).toEqual([1, 0])
    const strangersBody = importBody(
      ['Leo Kim', CHILD_BIRTHDAY, office],
      ['Ken Adams', CHILD_BIRTHDAY, office],
    )
    expect(await preview(sensei, strangersBody)).toMatchObject({
      family_questions: [],
      guardians: 0,
    })
  })

  test('of an existing guardian raises a question if the surname differs', async () => {
    const sensei = await server.createSensei()
    const email = uniqueEmail('ann')
    const phone = '512-555-0142'
    await importSheet(
      sensei,
      importBody(['Ken Smith', CHILD_BIRTHDAY, '', '', 'Ann Smith', email, phone]),
    )
    const strangerBody = importBody(['Mia Ruiz', CHILD_BIRTHDAY, email])
    const plan = await preview(sensei, strangerBody)
    expect(plan.family_questions).toMatchObject([
      {
        sides: [
          { is_here: true, students: ['Ken Smith'], guardians: ['Ann Smith'] },
          { rows: [0] },
        ],
      },
    ])
    expect(plan.guardians_in_sheet).toEqual([])
    const bodyOfBoth = importBody(
      ['Ida Smith', CHILD_BIRTHDAY, email],
      ['Mia Ruiz', CHILD_BIRTHDAY, email],
    )
    expect((await preview(sensei, bodyOfBoth)).family_questions[0].sides).toMatchObject([
      { is_here: true, students_here: ['Ken Smith'], students: ['Ken Smith', 'Ida Smith'] },
      { is_here: false, students_here: [] },
    ])
    const sisterBody = importBody(['Zoe Smith', CHILD_BIRTHDAY, email])
    expect(await importAndListFamilies(sensei, sisterBody)).toEqual({
      'Ken Smith': 'Ann Smith 1',
      'Zoe Smith': 'Ann Smith 1',
    })
    // A second import of Ken's row raises no question.
    const secondBody = importBody([
      'Ken Smith',
      CHILD_BIRTHDAY,
      '',
      '',
      'Ann Smith',
      email,
      '737-555-0199',
    ])
    expect(await preview(sensei, secondBody)).toMatchObject({ family_questions: [], guardians: 0 })
  })

  test('of a mother with forty children belongs to one guardian in each import', async () => {
    const sensei = await server.createSensei()
    const parent = ['Ann Smith', uniqueEmail('ann'), '512-555-0142']
    const letters = [...'abcdefghijklmnopqrst']
    const names = letters.flatMap((letter) => [`Ka${letter} Smith`, `Ko${letter} Smith`])
    const children = names.map((name) => [name, CHILD_BIRTHDAY, '', '', ...parent])
    const rows = children.map((_, index) => index)
    const guardians = [{ name: 'Ann Smith', is_new: true, pays: true, rows }]
    const body = importBody(...children)
    expect(await preview(sensei, body)).toMatchObject({ guardians_in_sheet: guardians })
    await importSheet(sensei, body)
    expect(await preview(sensei, body)).toMatchObject({
      merged: 40,
      family_questions: [],
      guardians_in_sheet: [{ ...guardians[0], is_new: false }],
    })
  })

  test('of two guardians in one row does not merge them', async () => {
    const sensei = await server.createSensei()
    const columns = [
      'name',
      'guardian_name',
      'guardian_email',
      'guardian_2_name',
      'guardian_2_email',
    ]
    const rows = [['Leo Kim', 'Ann Kim', 'kim@home.example', 'Bob Kim', 'kim@home.example']]
    const plan = await preview(sensei, { columns, rows } as unknown as Body)
    expect(plan.guardians_in_sheet.map(({ name }: any) => name)).toEqual(['Ann Kim', 'Bob Kim'])
  })
})

describe('a shared name', () => {
  const countQuestionsAndGuardians = async (...rows: string[][]) => {
    const plan = await preview(await server.createSensei(), importBody(...rows))
    return [plan.family_questions.length, plan.guardians]
  }
  const childRow = (name: string, parent: string, phone = '', email = '') => [
    name,
    CHILD_BIRTHDAY,
    '',
    '',
    parent,
    email,
    phone,
  ]

  test('with different numbers means two people, and raises a question', async () => {
    const sensei = await server.createSensei()
    const body = importBody(
      childRow('Ken Smith', 'Ann Smith', '512-555-0142', 'ann.a@example.com'),
      childRow('Mia Smith', 'Ann Smith', '737-555-0188'),
      childRow('Leo Kim', 'Mom', '512-555-0150'),
      childRow('Eva Kim', 'Mom', '737-555-0160'),
    )
    const { family_questions: questions, guardians } = await preview(sensei, body)
    expect([questions.length, guardians]).toEqual([2, 4])
    const families = [{ id: questions[0].id, is_one: true }]
    expect(await importAndListFamilies(sensei, { ...body, families })).toEqual({
      'Eva Kim': 'Mom 1',
      'Ken Smith': 'Ann Smith 2',
      'Leo Kim': 'Mom 3',
      'Mia Smith': 'Ann Smith 2',
    })
  })

  test('means one person if nothing contradicts it', async () => {
    expect(
      await countQuestionsAndGuardians(
        childRow('Ken Smith', 'Ann Smith', '512-555-0142'),
        childRow('Mia Smith', 'ann  smith', '(512) 555-0142', 'ann@home.example'),
        childRow('Leo Smith', 'Ann Smith'),
      ),
    ).toEqual([0, 1])
    expect(
      await countQuestionsAndGuardians(
        childRow('Mia Cole', 'Rosa Ruiz', '512-555-0142'),
        childRow('Hal Firth', 'Rosa Ruiz', '512-555-0142'),
      ),
    ).toEqual([0, 1])
  })

  test('is not enough if the name is only “Mom”', async () => {
    expect(
      await countQuestionsAndGuardians(childRow('Leo Kim', 'Mom'), childRow('Eva Kim', 'Mom')),
    ).toEqual([1, 2])
    expect(
      await countQuestionsAndGuardians(
        childRow('Leo Kim', 'Mom', '512-555-0150'),
        childRow('Eva Kim', 'Mom', '512-555-0150'),
      ),
    ).toEqual([0, 1])
    expect(
      await countQuestionsAndGuardians(
        childRow('Leo Kim', 'Mom', '512-555-0150'),
        childRow('Ken Adams', 'Mom', '512-555-0150'),
      ),
    ).toEqual([1, 2])
  })

  test('with an unusable number does not mean one person', async () => {
    const countsByPhone = ['555-555-5555', '888-888-8888', '512-555-5555'].map((phone) =>
      countQuestionsAndGuardians(
        childRow('Leo Kim', 'Mom', phone),
        childRow('Ken Adams', 'Mom', phone),
      ),
    )
    expect((await Promise.all(countsByPhone)).map(([questionCount]) => questionCount)).toEqual([
      0, 0, 0,
    ])
    const clubRows = ['Adams', 'Ruiz', 'Lee', 'Diaz', 'Kim', 'Park', 'Bell'].map((surname) =>
      childRow(`Ken ${surname}`, 'Pat Stone', '512-555-0142'),
    )
    expect(await countQuestionsAndGuardians(...clubRows)).toEqual([0, 7])
  })

  test('raises no question if emails and numbers both differ', async () => {
    expect(
      await countQuestionsAndGuardians(
        childRow('Ken Smith', 'Ann Smith', '512-555-0142', 'a@home.example'),
        childRow('Mia Smith', 'Ann Smith', '737-555-0188', 'b@home.example'),
      ),
    ).toEqual([0, 2])
  })

  test('raises no question with more than six different numbers', async () => {
    const children = ['Al', 'Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gil'].map((firstName, index) =>
      childRow(`${firstName} Smith`, 'Ann Smith', `512-555-014${index}`),
    )
    expect(await countQuestionsAndGuardians(...children.slice(1))).toEqual([1, 6])
    expect(await countQuestionsAndGuardians(...children)).toEqual([0, 7])
    const withOneEmail = children.map((row) => row.with(5, 'smith@home.example')) // Parent Email
    const { family_questions, unused_emails } = await preview(
      await server.createSensei(),
      importBody(...withOneEmail),
    )
    expect(family_questions).toEqual([])
    expect(unused_emails).toMatchObject([{ email: 'smith@home.example', reason: 'crowd' }])
  })

  test('with one number raises a question if the emails differ', async () => {
    const number = '512-555-0142'
    expect(
      await countQuestionsAndGuardians(
        childRow('Ken Smith', 'Ann Smith', number, 'a@home.example'),
        childRow('Mia Smith', 'Ann Smith', number, 'b@home.example'),
      ),
    ).toEqual([1, 2])
  })

  test('of an existing guardian raises a question unless the number is also the same', async () => {
    const sensei = await server.createSensei()
    await importSheet(sensei, importBody(childRow('Ken Smith', 'Ann Smith', '512-555-0142')))
    const plan = await preview(sensei, importBody(childRow('Mia Smith', 'Ann Smith')))
    expect([plan.family_questions.length, plan.guardians]).toEqual([1, 1])
    const samePlan = await preview(
      sensei,
      importBody(childRow('Mia Smith', 'Ann Smith', '512 555 0142')),
    )
    expect([samePlan.family_questions.length, samePlan.guardians]).toEqual([0, 0])
  })

  test('of a parent and a student does not make the student their own guardian', async () => {
    const sensei = await server.createSensei()
    const phone = '512-555-0142'
    expect(
      await importAndListFamilies(
        sensei,
        importBody(
          childRow('Sam Lee', 'Sam Lee', phone),
          ['Ann Lee', ADULT_BIRTHDAY, '', phone],
          childRow('Bo Lee', 'Ann Lee', phone),
        ),
      ),
    ).toEqual({ 'Sam Lee': 'Sam Lee 2', 'Ann Lee': '', 'Bo Lee': 'Ann Lee 1' })
  })
})
