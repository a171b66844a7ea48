import { consentApi } from '@tatami/contract/consent/consent'
import { familiesApi } from '@tatami/contract/families/families'
import { call } from './api.ts'
import { PASSWORD, uniqueEmail } from './dojo.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'
import { panel } from './student-page.ts'

test(
  'records consent to texts during enrollment if the instructor checks the box',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await dojo.createClass({ class_name: 'Little Dragons' })
    await signIn(page, dojo)
    await visit('/students')
    await page.getByRole('button', { name: 'Enroll New Student' }).click()
    const form = page.getByRole('dialog', { name: 'Enroll New Student' })
    for (const [label, value] of Object.entries({
      Name: 'Zoë Müller',
      'Date of birth': '2016-02-29',
      'Phone number': '512 555 0160',
      Email: uniqueEmail('zoe'),
      'Initial password': PASSWORD,
      'Emergency contact name': 'Ann Müller',
      'Emergency contact phone': '512 555 0161',
      'Monthly payment amount': '120',
    }))
      await form.getByLabel(new RegExp(`^${label}( \\*)?$`)).fill(value)
    await form.getByLabel('Little Dragons').check()
    const consentBox = form.getByRole('checkbox', { name: 'They agreed to text messages' })
    await expect(consentBox).not.toBeChecked()
    await consentBox.check()
    await expectAccessible(page)
    const enrollButton = form.getByRole('button', { name: 'Enroll Student' })
    await enrollButton.click()
    await expect(form.getByText('Who agreed is required')).toBeVisible()
    await form.getByLabel('Who agreed').fill('Ann Müller')
    await enrollButton.click()
    await page
      .getByRole('alertdialog', { name: 'Student Enrolled' })
      .getByRole('button', { name: 'Done' })
      .click()
    await page.getByRole('link', { name: 'Zoë Müller' }).first().click()
    const documents = panel(page, 'Consent and documents')
    await expect(documents).toContainText('Agreed to texts')
    await expect(documents).toContainText(/Ann Müller agreed, at enrollment, /)
    await expect(documents).toContainText('Recorded by Aiko Tanaka')
  },
)

test(
  'shows on a student’s page who agreed to texts, the wording, and who withdrew',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    // The phone is unique, because consent forms belong to no dojo and other tests use this name.
    const number = String(Date.now()).slice(-6)
    const phone = `512 3${number.slice(0, 2)} ${number.slice(2)}`
    const ken = await dojo.createStudent({ name: 'Ken Adams', phone_number: '512 555 0142' })
    const link = { student_id: ken.id, relation: 'mother' as const }
    await call(
      familiesApi.createGuardian,
      { body: { name: 'Ann Adams', phone, students: [link] } },
      dojo.token,
    )
    const form = {
      sensei_name: 'Sensei Tanaka',
      phone_number: `+1 ${phone}`,
      email: '',
      signature: 'Ann Adams',
      date: '2026-11-20',
    }
    await call(consentApi.submit, { body: form })
    await signIn(page, dojo)
    await page.route('**/api/students/*/consents', (route) => route.abort())
    await visit(`/students/${ken.id}`)
    const documents = panel(page, 'Consent and documents')
    await expect(documents).toContainText('The consents could not be loaded.')
    await page.unrouteAll()
    await documents.getByRole('button', { name: 'Try again' }).click()
    const annRegion = documents.getByRole('region', { name: /Ann Adams$/ })
    const kenRegion = documents.getByRole('region', { name: '(512) 555-0142 The student’s own' })
    await expect(kenRegion).toContainText('No consent recorded')
    await expect(kenRegion).toContainText('Texts are sent anyway')
    await expect(documents).toContainText('Ken’s phone gets texts')
    await expect(annRegion).toContainText('Agreed to texts')
    await expect(annRegion).toContainText(/Ann Adams agreed, on the consent form, /)
    await expect(annRegion).toContainText('Signed form of Nov 20, 2026, naming Sensei Tanaka')
    const wording = annRegion.getByText('message and data rates may apply.')
    await expect(wording).toBeHidden()
    await annRegion.getByText('Wording').click()
    await expect(wording).toBeVisible()
    await expectAllAccessible(page)

    await annRegion.getByRole('button', { name: 'Record consent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Record consent' })
    await dialog.getByLabel('What happened').selectOption('No longer agrees')
    await dialog.getByLabel('Who').fill('Ann Adams')
    await dialog.getByRole('button', { name: 'Record', exact: true }).click()
    await expect(annRegion).toContainText('No longer agrees to texts')
    await expect(documents).toContainText('Ann’s phone no longer agrees to texts')
    await expect(annRegion.getByRole('listitem').first()).toContainText(
      /Ann Adams no longer agrees, in person, .*Recorded by Aiko Tanaka/,
    )
    await expect(annRegion.getByText(/^Ann Adams (agreed|no longer agrees), /)).toHaveCount(2)

    // Anybody can send a form, so it is shown but does not end an opt-out.
    await call(consentApi.submit, { body: form })
    await page.reload()
    await expect(annRegion.getByText(/^Ann Adams agreed, on the consent form, /)).toHaveCount(2)
    await expect(annRegion).toContainText('No longer agrees to texts')
    await expect(annRegion).not.toContainText('Agreed to texts')
  },
)
