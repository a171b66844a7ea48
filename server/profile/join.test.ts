import { expect, test } from 'vitest'
import { PASSWORD, testHouse } from '../test/house.ts'

const house = await testHouse()
type Person = Awaited<ReturnType<typeof house.signIn>>

/** Signs of an invitation that is taken up while the processor is busy with other people's passwords. */
async function joinSlowly(meanwhile: (sensei: Person, boss: Person) => Promise<unknown>) {
  const [sensei, boss] = [await house.sensei(), await house.superAdmin()]
  const { invite_code } = (await sensei.get('/invitation')).body
  const busy = Array.from({ length: 30 }, (_, i) => house.stranger.post('/login', { email: `busy${i}@dojo.com`, password: PASSWORD }))
  const joining = house.stranger.post('/register', { name: 'Mia Chen', email: `mia${invite_code}@home.org`, password: PASSWORD, invite_code })
  await Promise.race(busy)
  await meanwhile(sensei, boss)
  await Promise.all(busy)
  const { status, body } = await joining
  return { said: [status, body.detail], sensei, boss }
}

test('nobody joins a dojo that is deactivated while their password is being hashed', async () => {
  const { said, sensei, boss: admin } = await joinSlowly(({ id }, boss) => boss.put(`/super-admin/sensei/${id}/toggle-active`))
  expect(said).toEqual([403, 'Your dojo is not active. Please contact your instructor.'])
  await admin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
  expect((await (await house.signIn(sensei.email)).get('/students')).body).toEqual([])
})

test('nobody joins by an invitation that is replaced meanwhile', async () => {
  const { said, sensei } = await joinSlowly((own) => own.post('/invitation'))
  expect(said).toEqual([400, 'This invitation is not valid'])
  expect((await sensei.get('/students')).body).toEqual([])
})
