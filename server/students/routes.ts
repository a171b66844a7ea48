import { studentsApi } from '@tatami/contract/students/students'
import { refuseCommonPassword, refusePersonalPassword } from '../accounts/password-rules.ts'
import { hashPassword, requesterByAccount } from '../accounts/passwords.ts'
import { requireLiveSession, type Sessions } from '../accounts/sessions.ts'
import { dojoById } from '../dojos/dojos.ts'
import { cachePerDojo } from '../http/response-cache.ts'
import { createSerializer } from '../http/serialized-reply.ts'
import { type App, SUCCESS, serve, okReply } from '../http/serve.ts'
import type { Mailer } from '../lib/mail.ts'
import { tellingActs } from '../memberships/memberships.ts'
import { lockGuardiansWithoutOtherStudents } from '../families/departures.ts'
import { endAutopayAfterLeaving } from '../online-payment/autopay/leaving.ts'
import { deleteGuardian } from '../guardians/guardian-records.ts'
import { forgetTypedPhones } from '../texting/departure.ts'
import { enrollInClass } from './enrollments.ts'
import { fillInStoredFees } from './stored-fees.ts'
import { readStudentPage } from './student-page.ts'
import { addMedicalAnswers } from './medical-answers.ts'
import { changeNotes } from './notes.ts'
import { leaveSchool, readLeavingImpact, returnToSchool } from './leaving.ts'
import { listCurrentStudents, listFormerStudents } from './student-list.ts'
import {
  addStudent,
  approveStudent,
  changeStudent,
  deleteStudent,
  countStudentDeletionImpact,
} from './students.ts'
import { setVacation } from './vacations.ts'

export function studentsRoutes(app: App, sessions: Sessions, mail: Mailer) {
  const telling = tellingActs(app, mail)
  const serializeList = createSerializer(studentsApi.list)
  const readCachedList = cachePerDojo(app, async (tx, dojoId) =>
    serializeList(await listCurrentStudents(tx, dojoId)),
  )
  serve(app, studentsApi, {
    list: {
      withoutTransaction: ({ caller }) =>
        caller.staff?.classIds
          ? app.db.inDojo(caller.dojoId, (tx) => listCurrentStudents(tx, caller.dojoId))
          : readCachedList(caller.dojoId),
    },
    former: ({ tx, caller }) => listFormerStudents(tx, caller.dojoId),
    create: {
      withoutTransaction: async ({ caller, body, idempotently }) => {
        if (body.password) await refuseCommonPassword(app.db, 'password', body.password)
        const passwordHash = body.password
          ? await hashPassword(body.password, requesterByAccount(caller.id))
          : null
        return app.db.inDojo(caller.dojoId, async (tx) => {
          await requireLiveSession(tx, caller)
          const dojo = await dojoById(tx, caller.dojoId)
          if (body.password)
            await refusePersonalPassword(tx, 'password', body.password, [
              body.name,
              body.email,
              dojo.name,
            ])
          return idempotently(tx, async () => ({
            student: await addStudent(tx, caller, dojo, body, passwordHash),
          }))
        })
      },
    },
    enroll: ({ tx, params }) => okReply(enrollInClass(tx, params.id, params.classId)),
    update: telling(async ({ tx, caller, params, body }) => {
      const form = await fillInStoredFees(tx, caller, params.id, body)
      const { student, notices } = await changeStudent(tx, caller, params.id, form)
      return { reply: { student }, notices }
    }),
    show: ({ tx, caller, params }) => readStudentPage(tx, caller, params.id),
    addMedicalAnswers: ({ tx, caller, params }) => addMedicalAnswers(tx, caller, params.id),
    setNotes: ({ tx, caller, params, body }) => changeNotes(tx, caller, params.id, body),
    setVacation: ({ tx, caller, params, body }) => setVacation(tx, caller, params.id, body),
    approve: telling(async ({ tx, caller, params, body }) => {
      const { student, notices } = await approveStudent(tx, caller, params.id, body)
      return { reply: { student }, notices }
    }),
    leave: telling(async ({ tx, caller, params, body }) => {
      const student = await leaveSchool(tx, caller, params.id, body)
      const emails = await endAutopayAfterLeaving(tx, caller.dojoId, params.id)
      return { reply: { student }, notices: [], emails }
    }),
    return: async ({ tx, caller, params }) => ({
      student: await returnToSchool(tx, caller, params.id),
    }),
    leavingImpact: ({ tx, caller, params, query }) =>
      readLeavingImpact(tx, caller.dojoId, params.id, query.left_on),
    remove: async ({ tx, caller, params, query }) => {
      const guardiansToDelete =
        query.guardians === 'delete' ? await lockGuardiansWithoutOtherStudents(tx, params.id) : []
      await deleteStudent(tx, caller, params.id)
      for (const { id } of guardiansToDelete)
        await forgetTypedPhones(tx, await deleteGuardian(tx, sessions, caller, id))
      await sessions.endSessionsOfAccount(tx, params.id)
      return SUCCESS
    },
    deletionImpact: ({ tx, caller, params }) =>
      countStudentDeletionImpact(tx, caller.dojoId, params.id),
  })
}
