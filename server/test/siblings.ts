import type { startTestServer } from './test-server.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

export const PHONE = '(512) 555-0143'
export const MOTHER = { name: 'Ann Adams', phone: PHONE }

/** Creates three children with their own logins. All have their mother's phone number, each in a
 *  different format. */
export async function createSiblings(server: Server) {
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const createChild = (name: string, phone_number: string) =>
    server.createStudent(sensei, {
      name,
      phone_number,
      date_of_birth: '2012-03-01',
      enrolled_classes: [kids.id],
      emergency_contact_name: 'Ann Adams',
      emergency_contact_phone: PHONE,
    })
  const leo = await createChild('Leo Adams', '512 555 0143')
  const mia = await createChild('Mia Adams', '512-555-0143')
  const ana = await createChild('Ana Adams', '+1 512 555 0143')
  return { sensei, kids, leo, mia, ana }
}
export type Siblings = Awaited<ReturnType<typeof createSiblings>>

export const familyForm = ({ leo, mia, ana }: Siblings, changes: object = {}) => ({
  guardian: MOTHER,
  students: [
    { student_id: leo.id, relation: 'mother', log_in: 'move' },
    { student_id: mia.id, log_in: 'close' },
    { student_id: ana.id, log_in: 'keep' },
  ],
  ...changes,
})

export const readEmailsByName = async ({ sensei }: Pick<Siblings, 'sensei'>) =>
  Object.fromEntries(
    (await sensei.get('/students')).body.map(({ name, email }: { name: string; email: string }) => [
      name,
      email,
    ]),
  )

export async function acceptInvitation(
  server: Server,
  { sensei }: Siblings,
  path: string,
  body?: object,
) {
  const { link } = (await sensei.post(path, body)).body
  return server.anonymous.post('/log-in-invitations/accept', {
    invitation: link.split('#')[1],
    password: 'eight8-8',
  })
}
