import { attendanceApi } from '@tatami/contract/attendance'
import { cacheClassSnapshots } from '../classes/classes.ts'
import { type App, SUCCESS, serve } from '../http/serve.ts'
import { attendanceVisibleTo, markAttendance, markRoll, unmarkAttendance } from './attendance.ts'
import { recordMarksTogether } from './marks-together.ts'

export function attendanceRoutes(app: App) {
  const classSnapshots = cacheClassSnapshots(app),
    record = recordMarksTogether(app.db)
  serve(app, attendanceApi, {
    list: ({ tx, caller, query }) => attendanceVisibleTo(tx, caller, query),
    mark: {
      withoutTransaction: async ({ caller: { dojoId }, body }) => {
        const snapshot = (await classSnapshots(dojoId)).of.get(body.class_id)
        const recorded = snapshot && (await record(dojoId, body, snapshot))
        return recorded ?? app.db.inDojo(dojoId, (tx) => markAttendance(tx, body))
      },
    },
    markRoll: ({ tx, body }) => markRoll(tx, body),
    unmark: async ({ tx, query }) => {
      await unmarkAttendance(tx, query)
      return SUCCESS
    },
  })
}
