import { studentsApi } from '@tatami/contract/students'
import { hashPassword, turnOfAccount } from '../accounts/passwords.ts'
import { refuseEnded, type Sessions } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import { classes } from '../classes/tables.ts'
import { dojos } from '../dojos/tables.ts'
import { keptPerDojo } from '../http/kept.ts'
import { type App, DONE, serve } from '../http/serve.ts'
import { paymentRecords } from '../payments/tables.ts'
import { enrolInClass } from './enrolments.ts'
import { addStudent, allStudents, changeStudent, deleteStudent, countStudentDeletionImpact } from './students.ts'
import { enrolments, students } from './tables.ts'

/** All that the list is made of: the e-mail comes from the account, a deleted class takes its enrolments along. */
const LIST_IS_MADE_OF = [students, enrolments, classes, paymentRecords, accounts, dojos]

export function studentsRoutes(app: App, sessions: Sessions) {
  const list = keptPerDojo(app, LIST_IS_MADE_OF, allStudents)
  serve(app, studentsApi, {
    list: { outside: ({ caller }) => list(caller.dojoId) },
    create: {
      outside: async ({ caller, body, idempotently }) => {
        const hash = await hashPassword(body.password, turnOfAccount(caller.id))
        return app.db.inDojo(caller.dojoId, async (tx) => {
          await refuseEnded(tx, caller)
          return idempotently(tx, async () => ({ student: await addStudent(tx, caller.dojoId, body, hash) }))
        })
      },
    },
    enrol: async ({ tx, params }) => {
      await enrolInClass(tx, params.id, params.classId)
      return DONE
    },
    update: async ({ tx, caller, params, body }) => ({ student: await changeStudent(tx, caller.dojoId, params.id, body) }),
    remove: async ({ tx, caller, params }) => {
      await deleteStudent(tx, caller, params.id)
      await sessions.endSessionsOfAccount(tx, params.id)
      return DONE
    },
    deletionImpact: ({ tx, caller, params }) => countStudentDeletionImpact(tx, caller.dojoId, params.id),
  })
}
