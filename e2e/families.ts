import { familiesApi } from '@tatami/contract/families/families'
import type { GuardianRights } from '@tatami/contract/guardians/guardians'
import { profileApi } from '@tatami/contract/profile/profile'
import type { Student } from '@tatami/contract/students/students'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { call, type Person } from './api.ts'
import { type Dojo, PASSWORD, uniqueEmail } from './dojo.ts'
import { expect } from './harness.ts'
import { readEmailsTo } from './mail-server.ts'

/** Waits for the invitation to this email, and returns the path of its link. */
export async function waitForInvitationLink(email: string): Promise<string> {
  const links = () =>
    readEmailsTo(email).flatMap((mail) => /\/accept-invitation#\S+/.exec(mail) ?? [])
  await expect.poll(() => links().length).toBeGreaterThan(0)
  return mustExist(links().at(-1), 'The link')
}

/** Creates a guardian of these students, who accepts the invitation and is logged in. */
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
  const [, invitation = ''] = (await waitForInvitationLink(email)).split('#', 2)
  const session = await call(profileApi.acceptInvitation, {
    body: { invitation, password: PASSWORD },
  })
  return { ...session, email, password: PASSWORD, id: guardian.id }
}
