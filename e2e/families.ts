import { familiesApi } from '@tatami/contract/families/families'
import type { GuardianRights } from '@tatami/contract/guardians/guardians'
import { profileApi } from '@tatami/contract/profile/profile'
import type { Student } from '@tatami/contract/students/students'
import { call, type Person } from './api.ts'
import { type Dojo, PASSWORD, uniqueEmail } from './dojo.ts'
import { expect } from './harness.ts'
import { emailsTo } from './mail-server.ts'

/** The address that the newest invitation to this email leads to. */
export async function invitationMailedTo(email: string): Promise<string> {
  const links = () =>
    emailsTo(email).flatMap((letter) => /\/accept-invitation#\S+/.exec(letter) ?? [])
  await expect.poll(() => links().length).toBeGreaterThan(0)
  return links().at(-1)!
}

/** A guardian of these students who signs in with a log-in of their own. */
export async function createGuardian(
  dojo: Dojo,
  students: Pick<Student, 'id'>[],
  rights: GuardianRights = {},
  name = 'Rosa Diaz',
): Promise<Person & { id: string }> {
  const email = uniqueEmail('rosa')
  const links = students.map(({ id }) => ({
    student_id: id,
    relation: 'mother' as const,
    ...rights,
  }))
  const { guardian } = await call(
    familiesApi.createGuardian,
    { body: { name, email, phone: '512 555 0177', students: links } },
    dojo.token,
  )
  await call(familiesApi.invite, { params: { id: guardian.id } }, dojo.token)
  const secret = (await invitationMailedTo(email)).split('#', 2)[1]!
  const session = await call(profileApi.acceptInvitation, {
    body: { invitation: secret, password: PASSWORD },
  })
  return { ...session, email, password: PASSWORD, id: guardian.id }
}
