import { expect, test } from 'vitest'
import { exampleSensei } from '../test/fixtures.ts'
import { startMailServer } from '../test/mail-server.ts'
import { startTestServer } from '../test/test-server.ts'

const { smtpUrl, mails, mailsTo } = await startMailServer()
const server = await startTestServer({ smtpUrl })
const superAdmin = await server.signInSuperAdmin()

async function register(): Promise<{ id: string; email: string }> {
  const form = exampleSensei({ first_name: 'Mina', last_name: 'Okafor', dojo_name: 'Bay Judo' })
  await server.anonymous.post('/sensei/register', form)
  const { sensei_list } = (await superAdmin.get('/super-admin/sensei')).body
  const { sensei_id } = sensei_list.find(({ email }: { email: string }) => email === form.email)
  return { id: sensei_id, email: form.email }
}
const toggleActive = (id: string) => superAdmin.put(`/super-admin/sensei/${id}/toggle-active`)

test('emails a sensei when the account is activated, but not when it is deactivated', async () => {
  const { id, email } = await register()
  expect((await toggleActive(id)).body).toEqual({ is_active: true, is_emailed: true })
  await expect.poll(() => mailsTo(email)).toHaveLength(1)
  const [mail = ''] = mailsTo(email)
  expect(mail).toContain('Subject: Your Tatami account is active')
  expect(mail).toContain('Hi Mina Okafor,')
  expect(mail).toContain('Your account for Bay Judo is active.')
  expect(mail).toContain('https://tatami.test/login')
  expect((await toggleActive(id)).body).toEqual({ is_active: false, is_emailed: false })
  // When this later mail arrives, a mail about the deactivation would have arrived, too.
  const nextSensei = await register()
  await toggleActive(nextSensei.id)
  await expect.poll(() => mailsTo(nextSensei.email)).toHaveLength(1)
  expect(mailsTo(email)).toHaveLength(1)
})

test('emails nobody about an account that cannot be activated', async () => {
  const mailsBefore = mails.length
  const student = await server.createStudent(await server.createSensei())
  expect((await toggleActive(student.id)).status).toBe(404)
  expect(mails).toHaveLength(mailsBefore)
})
