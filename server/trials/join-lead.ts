/** What happens with leads whose visitors become students. */
import { findStage, isOpenStage } from '@tatami/contract/leads/stages'
import type { Lead } from '@tatami/contract/leads/leads'
import { firstName } from '@tatami/contract/lib/name-parts'
import { and, eq, isNull, or } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { leadVisitors } from '../leads/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { pick, pluck } from '../lib/rows.ts'
import { recordEvent } from './lead-events.ts'
import { type LeadStory, listEvents, listVisitors, readStories } from './lead-stories.ts'
import { linkPapersToStudent } from './papers.ts'
import { leads } from './tables.ts'

type Visitor = Lead['visitors'][number]

/** The student gets the signatures from before the trial. The lead has joined when all visitors
 *  have. */
export async function joinVisitor(
  tx: Tx,
  caller: DojoCaller,
  story: LeadStory,
  visitor: Pick<Visitor, 'name' | 'age'>,
  studentId: string,
): Promise<void> {
  const { id } = story.lead
  await tx
    .insert(leadVisitors)
    .values({ lead_id: id, ...pick(visitor, 'name', 'age'), student_id: studentId })
    .onConflictDoUpdate({
      target: [leadVisitors.dojo_id, leadVisitors.lead_id, leadVisitors.name],
      set: { student_id: studentId },
    })
  const leadIds = pluck([story.lead, ...story.mergedLeads], 'id')
  await linkPapersToStudent(tx, leadIds, visitor.name, studentId)
  const haveOthersJoined = listVisitors(story).every(
    ({ name, student_id }) => name === visitor.name || student_id !== null,
  )
  const kind = haveOthersJoined ? 'joined' : 'visitor_joined'
  await recordEvent(tx, caller, id, { kind, note: visitor.name })
  await auditAction(tx, caller, 'lead joined', { subject_id: studentId })
}

type Student = {
  id: string
  name: string
  email: string | null
  phone_number: string | null
}

/** Joins the lead who has the phone or email of a student, or of one of the student's guardians.
 *  Call it for students who joined by invitation, once somebody has approved them: everybody can
 *  type the email of a lead. */
export async function joinLeadOfStudent(
  tx: Tx,
  caller: DojoCaller,
  student: Student,
): Promise<void> {
  const story = await findStory(tx, student)
  if (!story) return
  const visitor = findVisitor(story, student) ?? { name: student.name, age: null }
  await joinVisitor(tx, caller, story, visitor, student.id)
}

/** The oldest lead who named the student, or else the oldest one who is open. */
async function findStory(tx: Tx, student: Student): Promise<LeadStory | null> {
  const { emails, phones } = await readContacts(tx, student)
  const similarLeads = await tx
    .select(pick(leads, 'id', 'merged_into'))
    .from(leads)
    .where(or(equalsAny(leads.email, emails), equalsAny(leads.phone, phones)))
  const leadIds = similarLeads.map(({ id, merged_into }) => merged_into ?? id)
  const stories = (await readStories(tx, equalsAny(leads.id, leadIds))).filter(
    (story) => stageOf(story) !== 'joined',
  )
  const namedStory = stories.find((story) => findVisitor(story, student) !== undefined)
  return namedStory ?? stories.find((story) => isOpenStage(stageOf(story))) ?? null
}

const stageOf = (story: LeadStory) => findStage(listEvents(story)).stage

async function readContacts(tx: Tx, { id, email, phone_number }: Student) {
  const guardianRows = await tx
    .select(pick(guardians, 'email', 'phone'))
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(eq(guardianships.student_id, id), isNull(guardianships.ended_at)))
  const typedPhones = [phone_number, ...pluck(guardianRows, 'phone')]
  return {
    emails: [email, ...pluck(guardianRows, 'email')].filter((address) => address !== null),
    phones: typedPhones.map(validPhone).filter((phone) => phone !== null),
  }
}

/** Visitors often give only their first name, so the first name decides if it is unique. */
function findVisitor(story: LeadStory, student: Pick<Student, 'name'>): Visitor | undefined {
  const visitors = listVisitors(story).filter(({ student_id }) => student_id === null)
  const namesake = visitors.find(({ name }) => isSameName(name, student.name))
  if (namesake) return namesake
  const [visitor, secondVisitor] = visitors.filter(({ name }) =>
    isSameName(firstName(name), firstName(student.name)),
  )
  return secondVisitor ? undefined : visitor
}

const isSameName = (first: string, second: string): boolean =>
  first.toLowerCase() === second.toLowerCase()
