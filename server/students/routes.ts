import { studentsApi } from '@tatami/contract/students'
import { hashPassword } from '../accounts/passwords.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { type App, DONE, serve } from '../kernel/serve.ts'
import { enrolInClass } from './enrolments.ts'
import { addStudent, allStudents, changeStudent, deleteStudent, tracesOf } from './students.ts'

export const studentsRoutes = (app: App, sessions: Sessions) => serve(app, studentsApi, {
  list: ({ tx, caller }) => allStudents(tx, caller.dojoId),
  create: {
    outside: async ({ caller, body }) => {
      const hash = await hashPassword(body.password)
      return { student: await app.db.inDojo(caller.dojoId, (tx) => addStudent(tx, caller.dojoId, body, hash)) }
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
  traces: ({ tx, caller, params }) => tracesOf(tx, caller.dojoId, params.id),
})
