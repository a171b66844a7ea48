import { saveMainStyle } from '../belts/styles.ts'
import { ranks } from '../belts/tables.ts'
import { setClock } from './clock.ts'
import { dojoIdOf } from './fixtures.ts'
import type { startTestServer } from './test-server.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>
export const TODAY = '2027-03-01'
export const TEST_DAY = '2027-03-12'
/** Sets the clock to noon in Austin. */
export const setClockToNoon = (day: string) => setClock(`${day}T18:00:00Z`)
let phoneCount = 0
function nextPhone(): string {
  phoneCount += 1
  return `+1512556${1000 + phoneCount}`
}
type Sensei = Awaited<ReturnType<Server['createSensei']>>
export type ResponseRow = { student_id: string; name: string } & Record<string, any>

async function readRankIdsByLevel(server: Server, sensei: Sensei): Promise<Record<string, string>> {
  return server.db.inDojo(await dojoIdOf(server.db, sensei.id), async (tx) => {
    // Creates the default style and its ranks.
    await saveMainStyle(tx)
    const rows = await tx.select({ id: ranks.id, level: ranks.belt_level }).from(ranks)
    return Object.fromEntries(rows.map(({ id, level }) => [level, id]))
  })
}

/** Creates a dojo with three students, a mother of two of them, and functions for belt tests. */
export async function createGradingDojo(server: Server) {
  const sensei = await server.createSensei()
  const phone = nextPhone()
  const leo = await server.createStudent(sensei, { name: 'Leo Chen', phone_number: phone })
  const mia = await server.createStudent(sensei, { name: 'Mia Chen', phone_number: phone })
  const zoe = await server.createStudent(sensei, {
    name: 'Zoë Łukasz',
    date_of_birth: '1990-01-01',
    phone_number: nextPhone(),
  })
  const ann = await server.createGuardian(sensei, [leo, mia], {
    name: 'Ann Chen',
    phone: nextPhone(),
  })
  const rankIds = await readRankIdsByLevel(server, sensei)
  const candidates = [leo, mia, zoe].map(({ id }) => ({
    student_id: id,
    to_rank_id: rankIds.yellow,
  }))
  const plan = (changes: object = {}) =>
    sensei.post('/gradings', {
      name: 'Spring grading',
      held_on: TEST_DAY,
      held_at: '18:30',
      place: 'Main hall',
      fee: 40,
      examiner: 'Kenji Sato',
      candidates,
      ...changes,
    })
  const invite = (id: string, students: { id: string }[], text: string | null = null) =>
    sensei.post(`/gradings/${id}/invitations`, {
      student_ids: students.map((student) => student.id),
      text,
    })
  const readCandidate = async (id: string, student: { id: string }): Promise<ResponseRow> =>
    (await sensei.get(`/gradings/${id}`)).body.candidates.find(
      (candidate: ResponseRow) => candidate.student_id === student.id,
    )
  const readBelt = async (student: { id: string }) =>
    (await sensei.get('/students')).body.find((row: ResponseRow) => row.id === student.id)
      .belt_level
  const readCharges = async (student: { id: string }) =>
    (await sensei.get(`/students/${student.id}/account`)).body.charges.filter(
      (charge: ResponseRow) => charge.kind === 'grading',
    )
  /** Texts the dojo from a phone. Returns the automatic reply, if there is one. */
  const textSchool = async (sender: string, text: string) => {
    await sensei.post('/sms/simulated/incoming', { phone_number: sender, text })
    const [lastMessage] = (
      await sensei.get(`/sms/conversations/${encodeURIComponent(sender)}/messages`)
    ).body
    return lastMessage.kind === 'auto_reply' ? lastMessage.text : null
  }
  return {
    sensei,
    phone,
    leo,
    mia,
    zoe,
    ann,
    rankIds,
    candidates,
    plan,
    invite,
    readCandidate,
    readBelt,
    readCharges,
    textSchool,
  }
}
