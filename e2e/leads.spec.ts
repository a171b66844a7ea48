import { leadsApi } from '@tatami/contract/leads/leads'
import { call } from './api.ts'
import { conversationList, newPhone, textDojo } from './conversations.ts'
import { dayAhead } from './days.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

test('adds a lead, plans the next step, and enrolls the child', async ({ page, dojo, visit }) => {
  await dojo.createStudent({ name: 'Ken Adams' })
  await signIn(page, dojo)
  await visit('/leads')
  await expect(page.getByText('Nobody is waiting for an answer.')).toBeVisible()
  await page.getByLabel('Delete them after').selectOption('24 months')
  await expect(page.getByText('after 24 months without any activity')).toBeVisible()
  await page.getByRole('button', { name: 'Add lead' }).click()
  const form = page.getByRole('dialog', { name: 'Add lead' })
  await form.getByRole('textbox', { name: /^Name/ }).first().fill('Ana Ruiz')
  await form.getByLabel('Phone').fill('(512) 555-0143')
  await form.getByLabel('This person').uncheck()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(form.getByText('Say who would train')).toBeVisible()
  await form.getByRole('button', { name: 'Add child' }).click()
  await form.getByLabel('Name of child 1').fill('Leo Ruiz')
  await form.getByLabel('Age of child 1').fill('7')
  await form.getByRole('combobox', { name: 'How did they find you?' }).fill('Walk-in')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Add', exact: true }).click()

  const sheet = page.getByRole('dialog', { name: 'Ana Ruiz' })
  await expect(sheet.getByText('Leo Ruiz, 7 years old')).toBeVisible()
  await sheet.getByLabel('Next step').fill('Call about Tuesday')
  await sheet.getByLabel('Date').fill(dayAhead(0))
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(sheet.getByRole('button', { name: 'Done' })).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Call about Tuesday')).toBeVisible()
  await expectAccessible(page)

  await visit('/dashboard')
  await page.getByRole('link', { name: '1 lead to answer' }).click()
  await page.getByRole('button', { name: /^Ana Ruiz/ }).click()
  await sheet.getByRole('button', { name: 'Called' }).click()
  await expect(sheet.getByRole('region', { name: 'Story' })).toContainText('Called')
  await sheet.getByRole('button', { name: 'Enroll' }).click()
  const enrollment = page.getByRole('dialog', { name: 'Enroll New Student' })
  await expect(enrollment.getByLabel(/^Name/).first()).toHaveValue('Leo Ruiz')
  await expect(enrollment.getByLabel('Guardian’s name')).toHaveValue('Ana Ruiz')
})

test('asks if a second lead is the same person, and merges them', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 409/)
  await signIn(page, dojo)
  await visit('/leads')
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add lead' }).click()
    const form = page.getByRole('dialog', { name: 'Add lead' })
    await form.getByRole('textbox', { name: /^Name/ }).first().fill(name)
    await form.getByLabel('Email').fill('ana@example.com')
    await form.getByRole('combobox', { name: 'How did they find you?' }).fill('Website')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    return form
  }
  await add('Ana Ruiz')
  await page.getByRole('dialog', { name: 'Ana Ruiz' }).getByLabel('Close').click()
  const form = await add('Anna Ruiz')
  await expect(form.getByText(/^Is this Ana Ruiz, a lead since/)).toBeVisible()
  await form.getByLabel('No, this is somebody else').check()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Anna Ruiz' })
  await sheet.getByRole('button', { name: 'Yes, merge them' }).click()
  await expect(sheet.getByText('Merged with another lead')).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Note' }).click()
  const note = page.getByRole('dialog', { name: 'Add a note' })
  await note.getByLabel('Note').fill('Wants to come on Tuesday')
  await expectAccessible(page)
  await note.getByRole('button', { name: 'Save' }).click()
  await expect(sheet.getByText('Wants to come on Tuesday')).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: /^Anna Ruiz/ })).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Ana Ruiz/ })).toHaveCount(0)
})

test('makes a link with a QR code for a flyer', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/leads')
  await page.getByRole('button', { name: 'Links and QR codes' }).click()
  const sheet = page.getByRole('dialog', { name: 'Links and QR codes' })
  await sheet.getByRole('button', { name: 'New link' }).click()
  const form = page.getByRole('dialog', { name: 'New link' })
  await form.getByLabel('Name').fill('Yellow flyer')
  await form.getByLabel('Cost per month').fill('40')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(sheet.getByLabel('Link for Yellow flyer')).toHaveValue(/\/t\/yellow-flyer-\w{6}$/)
  await sheet.getByText('QR code', { exact: true }).click()
  await expect(sheet.getByAltText('QR code for Yellow flyer')).toBeVisible()
  await expectAccessible(page)
})

test('makes a lead of an unknown number, and leads back from the student', async ({
  page,
  dojo,
  visit,
}) => {
  await textDojo(dojo, newPhone(), 'Do you have classes for kids?')
  await signIn(page, dojo)
  await visit('/messages')
  await conversationList(page)
    .getByRole('link', { name: /^\(512\) 555-/ })
    .click()
  await page.getByRole('link', { name: 'New lead' }).click()
  const form = page.getByRole('dialog', { name: 'Add lead' })
  await expect(form.getByLabel('Phone')).toHaveValue(/^\+1512/)
  await expect(form.getByLabel('How did they find you?')).toHaveValue('Text message')
  await form.getByRole('textbox', { name: /^Name/ }).first().fill('Ana Ruiz')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Ana Ruiz' })
  await expect(sheet.getByRole('link', { name: 'Texts with Ana Ruiz' })).toBeVisible()
  await expectAccessible(page)
  const [lead] = await call(leadsApi.list, { query: {} }, dojo.token)
  const student = await dojo.createStudent({ name: 'Ana Ruiz' })
  await call(
    leadsApi.join,
    {
      params: { id: lead?.id ?? '' },
      body: { visitor_name: 'Ana Ruiz', student_id: student.id },
    },
    dojo.token,
  )
  await visit(`/students/${student.id}`)
  await page.getByRole('link', { name: 'History before enrolling' }).click()
  await expect(sheet.getByText('Joined').first()).toBeVisible()
})

test('visitors of a fair fill in the form without a network', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_INTERNET_DISCONNECTED/)
  await signIn(page, dojo)
  await visit('/leads')
  await page.getByRole('button', { name: 'Fair mode' }).click()
  const form = page.getByRole('dialog', { name: 'Would you like to try a class?' })
  await form.getByLabel('Event', { exact: true }).fill('Spring fair')
  await expectAccessible(page)
  await page.context().setOffline(true)
  await form.getByRole('textbox', { name: /^Name/ }).first().fill('Ana Ruiz')
  await form.getByLabel('Email', { exact: true }).fill('ana@example.com')
  await form.getByLabel('You may email me news and offers.').check()
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('Thank you, Ana Ruiz!')).toBeVisible()
  await expect(form.getByText('1 form waiting for the network')).toBeVisible()
  await expect(form.getByLabel('Email', { exact: true })).toHaveValue('')
  await expect(form.getByLabel('Event', { exact: true })).toHaveValue('Spring fair')
  await page.context().setOffline(false)
  await expect(form.getByText('1 form sent')).toBeVisible()
  await expect(form.getByText('1 form waiting for the network')).toHaveCount(0)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: /^Ana Ruiz/ }).click()
  await expect(page.getByRole('dialog', { name: 'Ana Ruiz' })).toContainText('Spring fair')
})

test('writes down that a lead said yes to texts, and asks the phone', async ({
  page,
  dojo,
  visit,
}) => {
  const phone = newPhone()
  const lead = await call(
    leadsApi.add,
    {
      body: {
        name: 'Ana Ruiz',
        phone,
        email: '',
        visitors: [{ name: 'Leo', age: 7 }],
        interest: '',
        source: 'Phone call',
        note: '',
        adds_anyway: false,
      },
    },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit(`/leads?lead=${lead.id}`)
  const sheet = page.getByRole('dialog', { name: 'Ana Ruiz' })
  await expect(sheet.getByText('no agreement to texts yet')).toBeVisible()
  await sheet.getByRole('button', { name: 'They said yes to texts' }).click()
  const form = page.getByRole('dialog', { name: 'They said yes to texts' })
  await form.getByRole('button', { name: 'Save and ask' }).click()
  await expect(form.getByText('What they said is required')).toBeVisible()
  await form.getByLabel('What they said').fill('Sure, just text me')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save and ask' }).click()
  await expect(sheet.getByText('“Sure, just text me”')).toBeVisible()
  await expect(sheet.getByText('until the phone replies YES')).toBeVisible()
  await expectAccessible(page)
})

test('shows a helper only first names and stages', async ({ page, dojo, visit }) => {
  const lead = {
    name: 'Ana Ruiz',
    phone: newPhone(),
    email: '',
    visitors: [{ name: 'Leo', age: 7 }],
    interest: '',
    source: 'Phone call',
    note: '',
    adds_anyway: false,
  }
  await call(leadsApi.add, { body: lead }, dojo.token)
  const helper = await dojo.createStaff({ rights: ['roll'] })
  await signIn(page, helper)
  await visit('/school')
  await page.getByRole('link', { name: /^Leads/ }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Ana' })).toHaveText('AnaNew')
  await expect(page.getByText('Ruiz')).toHaveCount(0)
  await expectAccessible(page)
})

test('makes a link with which a student invites friends', async ({ page, dojo, visit }) => {
  const student = await dojo.createStudent({ name: 'Mia Chen' })
  await signIn(page, dojo)
  await visit(`/students/${student.id}`)
  await page.getByRole('button', { name: 'Link for friends' }).click()
  await expect(page.getByLabel('Link for friends')).toHaveValue(/\/t\/friend-\w{6}$/)
  await expectAccessible(page)
})
