import { expect, type Page } from '@playwright/test'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import { uniqueEmail, type Dojo } from './dojo.ts'
import { THIS_MONTH } from './this-month.ts'

/** Everyone shown, from the first to the last; who is in two classes stands there twice. */
const visibleStudents = (page: Page) =>
  page
    .getByRole('button', { name: /^Edit / })
    .evaluateAll((icons) =>
      icons.map((icon) => icon.getAttribute('aria-label')?.slice('Edit '.length)),
    )
export const expectShown = (page: Page, names: string[]) =>
  expect.poll(() => visibleStudents(page)).toEqual(names)
/** The card of a student or, on a desktop, the row. */
export const studentRow = (page: Page, name: string) =>
  page
    .locator('li, tr')
    .filter({ has: page.getByRole('button', { name: `Edit ${name}` }) })
    .first()
export async function expectInRow(page: Page, name: string, words: string[]) {
  for (const text of words) await expect(studentRow(page, name)).toContainText(text)
}
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

/** Two classes; Ann in both, Ben on trial in the second, Cleo on vacation and in none. */
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

/** Two classes. In Kids Judo each has a reason to get no text: Ken has paid this month, Omar is on trial, Vera on vacation and Pia
 *  without a phone. Mia, in Teens, gets everything. */
export async function createOneOfEachKind(dojo: Dojo) {
  const kids = await dojo.createClass({ class_name: 'Kids Judo' }),
    teens = await dojo.createClass({ class_name: 'Teens' })
  const inKids = { enrolled_classes: [kids.id] },
    { month, year } = THIS_MONTH
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
