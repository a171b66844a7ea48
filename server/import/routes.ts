import { importApi } from '@tatami/contract/import/import'
import { type ImportForm } from '@tatami/contract/import/import-form'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { type App, requireRight, serve } from '../http/serve.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { applyImport } from './apply.ts'
import { countPaidStudents, countPayingStudents, summarizeBalances } from './history.ts'
import { type Plan, planImport } from './plan.ts'
import { hasNewPlans, listMemberships } from './memberships.ts'
import { listImports } from './imports.ts'
import { undoImport } from './undo.ts'

/** Allows one import at a time, so that a second import sees the students of the first. */
const lockImports = (tx: Tx, dojoId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`student import ${dojoId}`}, 0))`)

function toCounts(plan: Plan) {
  const payers = new Set(
    plan.students.flatMap(({ guardians, payerId, existing }) =>
      guardians.some(({ id }) => id === payerId) && !existing?.hasPayer ? (payerId ?? []) : [],
    ),
  )
  return {
    students: plan.students.filter(({ existing }) => existing === null).length,
    former: plan.students.filter(({ departure, existing }) => departure && !existing).length,
    merged: plan.merged,
    left_out: plan.leftOut,
    rows_with_problems: new Set(plan.problems.map(({ row }) => row)).size,
    guardians: plan.guardians.filter(({ isNew }) => isNew).length,
    families: payers.size,
    classes: plan.classes.newClasses().length,
    invitations: plan.invitees.length,
    phones_without_texts: plan.optOuts.length,
    paying_students: countPayingStudents(plan),
    paid_students: countPaidStudents(plan),
    paid_through: plan.paidThrough,
  }
}

export function importRoutes(app: App, { mail, publicUrl }: { mail: Mailer; publicUrl: string }) {
  const createPlan = (tx: Tx, dojoId: string, form: ImportForm) =>
    planImport(tx, dojoId, form, mail.isConfigured)
  serve(app, importApi, {
    preview: async ({ tx, caller, body }) => {
      const plan = await createPlan(tx, caller.dojoId, body)
      const { problems, notices, duplicates, guardians, students } = plan
      const { familyQuestions: family_questions, unusedEmails: unused_emails } = plan
      const payers = new Set(students.flatMap(({ payerId }) => payerId ?? []))
      return {
        ...toCounts(plan),
        can_invite: mail.isConfigured,
        ...{ problems, notices, duplicates, family_questions, unused_emails },
        guardian_questions: plan.links.questions,
        added_links: plan.links.added,
        ended_links: plan.links.ended,
        left_out_rows: plan.leftOutRows,
        statuses_in_sheet: plan.statuses,
        belts_in_sheet: plan.belts,
        extra_stripes_in_sheet: plan.extraStripes,
        balances_in_sheet: summarizeBalances(plan),
        classes_in_sheet: plan.classes.listInSheet(),
        memberships_in_sheet: listMemberships(plan.memberships),
        guardians_in_sheet: guardians.map(({ id, name, isNew, rows }) => ({
          name,
          is_new: isNew,
          pays: payers.has(id),
          rows,
        })),
      }
    },
    create: {
      withoutTransaction: async ({ caller, body, idempotently }) => {
        let mails: Email[] = []
        const reply = await app.db.inDojo(caller.dojoId, (tx) =>
          idempotently(tx, async () => {
            await lockImports(tx, caller.dojoId)
            const importPlan = await createPlan(tx, caller.dojoId, body)
            // An import may change the school's belts and plans only if its user may.
            if (importPlan.stripeRaise || hasNewPlans(importPlan.memberships))
              requireRight(caller.staff, 'settings')
            const result = await applyImport(tx, caller, importPlan, publicUrl)
            mails = result.mails
            return { import: result.storedImport, ...toCounts(importPlan) }
          }),
        )
        // Sent after the commit. A repeated request sends no mails.
        for (const email of mails) mail.send(email)
        return reply
      },
    },
    list: ({ tx }) => listImports(tx),
    undo: ({ tx, caller, params }) => undoImport(tx, caller, params.id),
  })
}
