import { WEEKDAYS, addDays } from '@tatami/contract/lib/calendar-day'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { classesApi } from '@tatami/contract/classes/classes'
import { call } from './api.ts'
import { createDailyClass } from './daily-class.ts'
import { dayAhead } from './days.ts'
import { expect, expectAccessible, sampleInShortRun, signIn, test } from './harness.ts'
import {
  createClassWith,
  chooseClass,
  attendanceDialog,
  expectMark,
  readSavedMarks,
  routeMarks,
  openAttendanceDialog,
  studentGroup,
  attendanceRecords,
  tapMark,
} from './attendance-dialog.ts'

test('tells a new dojo to add classes and students first', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/attendance')
  await expect(page.getByText('No attendance records found')).toBeVisible()
  await expect(
    page.getByText('No classes available. Create classes first to mark attendance.'),
  ).toBeVisible()
  await openAttendanceDialog(page)
  await expect(
    attendanceDialog(page).getByText(
      'No classes available. Create classes first to mark attendance.',
    ),
  ).toBeVisible()
  await expect(
    attendanceDialog(page).getByText('No students found. Please add students first.'),
  ).toBeVisible()
})

test('marks a student, lists the mark and corrects it through a quick action', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await createClassWith(dojo, 'Ken Adams')
  await dojo.createClass({ class_name: 'Open Mat' })
  await signIn(page, dojo)
  await visit('/attendance')
  await openAttendanceDialog(page)
  await expect(
    attendanceDialog(page).getByText('Please select a class to see enrolled students.'),
  ).toBeVisible()
  await chooseClass(page, 'Open Mat')
  await expect(
    attendanceDialog(page).getByText('No students enrolled in this class.'),
  ).toBeVisible()
  await chooseClass(page, 'Little Dragons')
  await expect(
    attendanceDialog(page)
      .getByRole('group')
      .getByRole('button', { name: /^(Present|Absent)$/ }),
  ).toHaveText(['Present', 'Absent'])
  const date = await attendanceDialog(page).getByLabel('Date').inputValue()
  await tapMark(page, 'Ken Adams', 'Present')
  await expectMark(page, 'Ken Adams', 'Present')
  await expect(attendanceDialog(page).getByText('1 of 1 marked, 1 present')).toBeVisible()
  await attendanceDialog(page).getByRole('button', { name: 'Done' }).click()
  const record = attendanceRecords(page, 'Ken Adams')
  const shownDate = new Date(date).toLocaleDateString('en-US', {
    dateStyle: 'medium',
    timeZone: 'UTC',
  })
  for (const text of ['Little Dragons', shownDate, 'Present', 'Instructor'])
    await expect(record).toContainText(text)
  if (isDesktop)
    await expect(page.getByRole('columnheader')).toHaveText([
      'Student',
      'Class',
      'Date',
      'Status',
      'Marked By',
    ])

  await page
    .getByRole('button', { name: /Little Dragons.*Monday, Wednesday.*4:00 PM - 5:00 PM/ })
    .click()
  await expectMark(page, 'Ken Adams', 'Present')
  await tapMark(page, 'Ken Adams', 'Absent')
  await page.keyboard.press('Escape')
  await expect(record).toContainText('Absent')
})

test('marks a class of thirty with one press, undoes it, and marks student by student', async ({
  page,
  dojo,
  visit,
}) => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const names = Array.from(
    { length: 30 },
    (_, index) => `Student ${letters[Math.floor(index / 26)]}${letters[index % 26]}`,
  )
  const { id } = await createClassWith(dojo, ...names)
  await signIn(page, dojo)
  // The number of marks in each call for a roll, or the body of a call for one student.
  const markCalls: (number | object)[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/api/attendance/roll')
      markCalls.push((request.postDataJSON() as { marks: unknown[] }).marks.length)
    if (pathname === '/api/attendance' && request.method() === 'POST')
      markCalls.push(request.postDataJSON() as object)
  })
  await visit(`/attendance?class=${id}`)
  await expect(attendanceDialog(page).getByRole('button', { name: 'All present' })).toBeEnabled()
  await tapMark(page, 'Student AC', 'Absent')
  await attendanceDialog(page).getByRole('button', { name: 'Rest present' }).click()
  await expect(attendanceDialog(page).getByText('30 of 30 marked, 29 present')).toBeVisible()
  await expectMark(page, 'Student AC', 'Absent')
  await expect(attendanceDialog(page).getByRole('button', { name: 'Rest present' })).toBeDisabled()
  await expect
    .poll(() => readSavedMarks(dojo))
    .toEqual(names.map((name) => `${name} ${name !== 'Student AC'}`))
  await attendanceDialog(page).getByRole('button', { name: 'Undo' }).click()
  await expect(attendanceDialog(page).getByText('1 of 30 marked, 0 present')).toBeVisible()
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Student AC false'])
  const singleMark = {
    student_id: expect.any(String),
    class_id: id,
    class_date: expect.stringMatching(/T00:00:00\.000Z$/),
    present: false,
    // The student was not marked before.
    replaces: [null],
  }
  expect(markCalls, 'one call per press').toEqual([singleMark, 29, 29])
  for (const name of names.slice(0, 5)) await tapMark(page, name, 'Present')
  await expect(attendanceDialog(page).getByText('5 of 30 marked, 5 present')).toBeVisible()
  await expect
    .poll(() => readSavedMarks(dojo))
    .toEqual(names.slice(0, 5).map((name) => `${name} true`))
})

test('finds a drop-in, marks them present and removes the mark', async ({ page, dojo, visit }) => {
  const { id } = await createClassWith(dojo, 'Ken Adams')
  await dojo.createStudent({ name: 'Noah Visitor' })
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}`)
  await attendanceDialog(page).getByLabel('Add a drop-in').fill('visi')
  await attendanceDialog(page)
    .getByRole('button', { name: /Noah Visitor.*Mark present/ })
    .click()
  await expectMark(page, 'Noah Visitor', 'Present')
  await expect(
    attendanceDialog(page).getByRole('listitem').filter({ hasText: 'Noah Visitor' }),
  ).toContainText('Drop-in')
  await expect(attendanceDialog(page).getByLabel('Add a drop-in')).toBeInViewport()
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Noah Visitor true'])
  await attendanceDialog(page).getByRole('button', { name: 'Undo' }).click()
  await expect(studentGroup(page, 'Noah Visitor')).toBeHidden()
  await expect.poll(() => readSavedMarks(dojo)).toEqual([])
})

test(
  'distinguishes drop-ins with the same name, and finds them by phone',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id } = await createClassWith(dojo, 'Ken Adams')
    const teens = await dojo.createClass({ class_name: 'Teens' })
    const firstNoah = await dojo.createStudent({
      name: 'Noah Visitor',
      belt_level: 'brown',
      enrolled_classes: [teens.id],
    })
    const secondNoah = await dojo.createStudent({
      name: 'Noah Visitor',
      phone_number: '737 555 0199',
    })
    await signIn(page, dojo)
    await visit(`/attendance?class=${id}`)
    const markButtons = attendanceDialog(page).getByRole('button', { name: /Mark present/ })
    await attendanceDialog(page).getByLabel('Add a drop-in').fill('visitor noah')
    await expect(markButtons).toHaveText([
      `Noah Visitor Brown belt · Teens · ${firstNoah.email}Mark present`,
      `Noah Visitor White belt · No classes · ${secondNoah.email}Mark present`,
    ])
    await attendanceDialog(page).getByLabel('Add a drop-in').fill('(737) 555')
    await expect(markButtons).toHaveCount(1)
    for (const button of await markButtons.all()) await expect(button).toBeInViewport()
    await attendanceDialog(page).getByLabel('Add a drop-in').press('Enter')
    await expectMark(page, 'Noah Visitor', 'Present')
  },
)

test('filters records by class and day, including a deleted class', async ({
  page,
  dojo,
  visit,
}) => {
  const dragons = await createClassWith(dojo, 'Ken Adams')
  const mat = await dojo.createClass({ class_name: 'Open Mat' })
  const deletedClass = await dojo.createClass({ class_name: 'Old Class' })
  const [student] = dragons.students
  for (const [class_id, day] of [
    [dragons.id, '2026-03-02'],
    [dragons.id, '2026-03-04'],
    [mat.id, '2026-03-04'],
    [deletedClass.id, '2026-03-05'],
  ] as const) {
    await call(
      attendanceApi.mark,
      { body: { student_id: student!.id, class_id, class_date: day, present: true } },
      dojo.token,
    )
  }
  await call(classesApi.remove, { params: { id: deletedClass.id } }, dojo.token)
  await signIn(page, dojo)
  await visit('/attendance')
  await expect(attendanceRecords(page, 'Ken Adams')).toHaveCount(4)
  await expect(attendanceRecords(page, 'Ken Adams').first()).toContainText('Old Class')
  await page.getByLabel('Filter by class').selectOption({ label: 'Little Dragons' })
  await expect(attendanceRecords(page, 'Ken Adams')).toHaveCount(2)
  await page.getByLabel('Filter by date').fill('2026-03-04')
  await expect(attendanceRecords(page, 'Ken Adams')).toHaveCount(1)
  await page.getByLabel('Filter by date').fill('2026-03-03')
  await expect(page.getByText('No attendance records found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(attendanceRecords(page, 'Ken Adams')).toHaveCount(4)
  for (const label of ['Filter by class', 'Filter by date'])
    await expect(page.getByLabel(label)).toHaveValue('')
})

test('loads a long history page by page', { tag: '@long' }, async ({ page, dojo, visit }) => {
  const { mark } = await createClassWith(dojo, 'Ken Adams')
  await Promise.all(Array.from({ length: 52 }, (_, index) => mark(addDays('2026-01-01', index))))
  await signIn(page, dojo)
  await visit('/attendance')
  await expect(attendanceRecords(page, 'Ken Adams')).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(attendanceRecords(page, 'Ken Adams')).toHaveCount(52)
  await expect(attendanceRecords(page, 'Ken Adams').last()).toContainText('Jan 1, 2026')
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden()
})

for (const [timezoneId, now, today] of sampleInShortRun([
  // The expected day is the day at the dojo in Texas, not in the browser's time zone.
  ['Pacific/Auckland', '2026-03-02T11:30:00Z', '2026-03-02'],
  ['America/Los_Angeles', '2026-03-03T05:30:00Z', '2026-03-02'],
] as const)) {
  test.describe(`in ${timezoneId}`, () => {
    test.use({ timezoneId })

    test(
      'picks, sends and shows the same calendar day',
      { tag: '@long' },
      async ({ page, dojo, visit }) => {
        const { id } = await createClassWith(dojo, 'Ken Adams')
        await page.clock.setFixedTime(now)
        await signIn(page, dojo)
        await visit('/attendance')
        await openAttendanceDialog(page)
        await expect(attendanceDialog(page).getByLabel('Date')).toHaveValue(today)
        for (const day of [today, '2026-01-31']) {
          await attendanceDialog(page).getByLabel('Date').fill(day)
          await attendanceDialog(page).getByLabel('Class').selectOption(id)
          const requestPromise = page.waitForRequest(
            (request) => request.method() === 'POST' && request.url().endsWith('/api/attendance'),
          )
          await tapMark(page, 'Ken Adams', 'Present')
          expect((await requestPromise).postDataJSON()).toMatchObject({
            class_date: `${day}T00:00:00.000Z`,
          })
        }
        await page.keyboard.press('Escape')
        await expect(attendanceRecords(page, 'Mar 2, 2026')).toHaveCount(1)
        await expect(attendanceRecords(page, 'Jan 31, 2026')).toHaveCount(1)
      },
    )
  })
}

test('labels today’s classes, and lists them first in the dialog', async ({
  page,
  dojo,
  visit,
}) => {
  const weekday = new Date()
    .toLocaleDateString('en-US', { timeZone: 'America/Chicago', weekday: 'long' })
    .toLowerCase()
  const classDays = (name: string) =>
    WEEKDAYS.filter((day) => (day === weekday) === (name === 'On Now'))
  for (const class_name of ['Another Day', 'On Now', 'Third', 'Fourth'])
    await dojo.createClass({ class_name, class_days: classDays(class_name) })
  await signIn(page, dojo)
  await visit('/attendance')
  await expect(page.getByRole('button', { name: /On Now.*Today/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /Another Day.*Today/ })).toBeHidden()
  await expect(
    page.getByRole('heading', { name: 'Quick Actions' }).locator('..').getByRole('button'),
  ).toHaveText([/^Another Day/, /^On Now/, /^Third/])
  await openAttendanceDialog(page)
  await expect(attendanceDialog(page).getByLabel('Class').getByRole('option')).toHaveText([
    'Select a class',
    'On Now',
    'Another Day',
    'Third',
    'Fourth',
  ])
  await expect(attendanceDialog(page).locator('optgroup[label=Today] option')).toHaveText([
    'On Now',
  ])
})

test('shows a student only their own history', async ({ page, dojo, visit }) => {
  const { mark, students } = await createClassWith(dojo, 'Ken Adams', 'Mia Chen')
  await mark('2026-03-02', { present: false })
  await mark('2026-03-02', { student: students[1] })
  await signIn(page, await dojo.createSession(students[0]!))
  await visit('/attendance')
  await expect(page.getByText('Only instructors can mark attendance')).toBeVisible()
  await expect(attendanceRecords(page, 'Little Dragons')).toHaveCount(1)
  for (const text of ['Mar 2, 2026', 'Absent'])
    await expect(attendanceRecords(page, 'Little Dragons')).toContainText(text)
  await expect(page.getByRole('button', { name: 'Mark Attendance' })).toBeHidden()
  await expectAccessible(page)
})

test(
  'is accessible, and arrow keys move between students',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const { id, mark, students } = await createClassWith(dojo, 'Ken Adams', 'Mia Chen', 'Zoe Ito')
    await mark('2026-03-02')
    await mark('2026-03-02', { present: false, student: students[1] })
    await signIn(page, dojo)
    await visit('/attendance')
    await expect(attendanceRecords(page, 'Ken Adams')).toBeVisible()
    await expectAccessible(page)
    await visit(`/attendance?class=${id}&date=2026-03-02`)
    await routeMarks(page, (route) => route.abort())
    await tapMark(page, 'Zoe Ito', 'Present')
    await expect(
      attendanceDialog(page).getByText('Waiting for network', { exact: true }),
    ).toBeVisible()
    await expectAccessible(page)
    await studentGroup(page, 'Ken Adams').getByRole('button', { name: 'Absent' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(
      studentGroup(page, 'Mia Chen').getByRole('button', { name: 'Absent' }),
    ).toBeFocused()
  },
)

test('shows the owner which instructor marked a student', async ({ page, dojo, visit }) => {
  const { id } = await createDailyClass(dojo)
  const ken = await dojo.createStudent({ name: 'Ken Adams', enrolled_classes: [id] })
  const kim = await dojo.createStaff({ rights: ['roll', 'students.read'] })
  const day = dayAhead(0)
  const body = { student_id: ken.id, class_id: id, class_date: day, present: true }
  await call(attendanceApi.mark, { body }, kim.token)
  await signIn(page, dojo)
  await visit('/attendance')
  await expect(attendanceRecords(page, 'Ken Adams')).toContainText('Instructor · Kim Park')
  await expectAccessible(page)
  await visit(`/attendance?class=${id}&date=${day}`)
  await expect(attendanceDialog(page).getByText('Marked by Kim Park')).toBeVisible()
  await page.goto('about:blank')
  await signIn(page, kim)
  await visit('/attendance')
  await expect(attendanceRecords(page, 'Ken Adams')).toContainText('Instructor')
  await expect(attendanceRecords(page, 'Ken Adams')).not.toContainText('Kim Park')
})
