import { expect, type Page, test } from '@playwright/test'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import { uniqueEmail, type Dojo } from './dojo.ts'
import { THIS_MONTH } from './this-month.ts'

/** The names of the students on the screen, in order. On a desktop, a student of two classes is
 *  listed twice. On a phone, the second class shows only a link. */
const visibleStudents = (page: Page) =>
  page
    .getByRole('button', { name: /^Edit / })
    .evaluateAll((icons) =>
      icons.map((icon) => icon.getAttribute('aria-label')?.slice('Edit '.length)),
    )
export function expectVisibleStudents(page: Page, names: string[]) {
  const isDesktop = test.info().project.name === 'desktop'
  const expectedNames = isDesktop ? names : [...new Set(names)]
  return expect.poll(() => visibleStudents(page)).toEqual(expectedNames)
}
/** The student's card on a phone, or the row on a desktop. */
export const studentRow = (page: Page, name: string) =>
  page
    .locator('li, tr')
    .filter({ has: page.getByRole('button', { name: `Edit ${name}` }) })
    .first()
export async function expectInRow(page: Page, name: string, texts: string[]) {
  for (const text of texts) await expect(studentRow(page, name)).toContainText(text)
}
/** The call that changes a student requires all of these fields. */
export const putOnVacation = (dojo: Dojo, { id, name, email, enrolled_classes }: Student) =>
  call(
    studentsApi.update,
    {
      params: { id },
      body: {
        name,
        email,
        on_vacation: true,
        phone_number: '512 555 0142',
        date_of_birth: '2010-03-01',
        gender: 'female',
        emergency_contact_name: 'Ann',
        emergency_contact_phone: '5',
        monthly_payment_amount: 0,
        class_preferences: ['saturday'],
        enrolled_classes,
      },
    },
    dojo.token,
  )

/** Creates two classes and three students: Ann is in both classes, Ben is on trial in the second,
 *  and Cleo is on vacation and in neither. */
export async function createThreeStudents(dojo: Dojo) {
  const dragons = await dojo.createClass({ class_name: 'Little Dragons' })
  const teens = await dojo.createClass({
    class_name: 'Teens',
    class_start_time: '6:00 PM',
    class_end_time: '7:00 PM',
  })
  const enrolled_classes = [dragons.id, teens.id]
  const ann = await dojo.createStudent({
    name: 'Ann Lee',
    email: uniqueEmail('dragon'),
    belt_level: 'green',
    enrolled_classes,
  })
  const ben = await dojo.createStudent({
    name: 'Ben Moss',
    is_trial: true,
    enrolled_classes: [teens.id],
  })
  await putOnVacation(dojo, await dojo.createStudent({ name: 'Cleo Nash' }))
  return { dragons, teens, ann, ben }
}

/** Creates two classes. In Kids Judo, every student has a reason not to get certain texts: Ken has
 *  paid this month, Omar is on trial, Vera is on vacation, and Pia has no valid phone. Mia, in
 *  Teens, gets all texts. */
export async function createTextRecipients(dojo: Dojo) {
  const kids = await dojo.createClass({ class_name: 'Kids Judo' })
  const teens = await dojo.createClass({ class_name: 'Teens' })
  const inKids = { enrolled_classes: [kids.id] }
  const { month, year } = THIS_MONTH
  const ken = await dojo.createStudent({ name: 'Ken Adams', ...inKids })
  await call(
    paymentsApi.mark,
    {
      body: {
        student_id: ken.id,
        payment_month: month,
        payment_year: year,
        payment_status: 'paid',
      },
    },
    dojo.token,
  )
  await dojo.createStudent({ name: 'Mia Chen', enrolled_classes: [teens.id] })
  await dojo.createStudent({ name: 'Omar Haddad', is_trial: true, ...inKids })
  await dojo.createStudent({ name: 'Pia Lund', phone_number: '123', ...inKids })
  await putOnVacation(dojo, await dojo.createStudent({ name: 'Vera Moss', ...inKids }))
}
