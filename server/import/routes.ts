import { importApi } from '@tatami/contract/import/import'
import { type ImportForm } from '@tatami/contract/import/import-form'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { type App, requireRight, serve } from '../http/serve.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { pick } from '../lib/rows.ts'
import { applyImport } from './apply.ts'
import { countPaidStudents, countPayingStudents, summarizeBalances } from './history.ts'
import { type Plan, type PlannedStudent, planImport } from './plan.ts'
import { hasNewPlans, listMemberships } from './memberships.ts'
import { listUndoableImports } from './imports.ts'
import { undoImport } from './undo.ts'

/** Allows one import at a time, so that the second of two imports finds the students of the first.
 *  */
const lockImports = (tx: Tx, dojoId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`student import ${dojoId}`}, 0))`)

/** Returns the ids of guardians who start to pay for a student. */
function findNewPayers(students: readonly PlannedStudent[]): Set<string> {
  const payerIds = new Set<string>()
  for (const { guardians, payerId, existing } of students) {
    if (payerId === null || existing?.hasPayer) continue
    if (guardians.some(({ id }) => id === payerId)) payerIds.add(payerId)
  }
  return payerIds
}

function toCounts(plan: Plan) {
  return {
    students: plan.students.filter(({ existing }) => existing === null).length,
    former: plan.students.filter(({ departure, existing }) => departure && !existing).length,
    merged: plan.mergedRowCount,
    left_out: plan.leftOutRowCount,
    rows_with_problems: new Set(plan.problems.map(({ row }) => row)).size,
    guardians: plan.guardians.filter(({ isNew }) => isNew).length,
    families: findNewPayers(plan.students).size,
    classes: plan.classes.listNewClasses().length,
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
      const payerIds = new Set(plan.students.map(({ payerId }) => payerId))
      return {
        ...toCounts(plan),
        can_invite: mail.isConfigured,
        ...pick(plan, 'problems', 'notices', 'duplicates'),
        family_questions: plan.familyQuestions,
        unused_emails: plan.unusedEmails,
        guardian_questions: plan.links.questions,
        added_links: plan.links.added,
        ended_links: plan.links.ended,
        left_out_rows: plan.leftOutRows,
        statuses_in_sheet: plan.statusesInSheet,
        belts_in_sheet: plan.beltsInSheet,
        extra_stripes_in_sheet: plan.extraStripesInSheet,
        balances_in_sheet: summarizeBalances(plan),
        classes_in_sheet: plan.classes.listSheetNames(),
        memberships_in_sheet: listMemberships(plan.memberships),
        guardians_in_sheet: plan.guardians.map(({ id, name, isNew, rows }) => ({
          name,
          is_new: isNew,
          pays: payerIds.has(id),
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
            // Changing the school's belts or plans needs the right to change the settings.
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
    list: ({ tx }) => listUndoableImports(tx),
    undo: ({ tx, caller, params }) => undoImport(tx, caller, params.id),
  })
}
