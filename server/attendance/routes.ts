import { attendanceApi } from '@tatami/contract/attendance'
import { cacheClassSnapshots } from '../classes/classes.ts'
import { type App, SUCCESS, serve } from '../http/serve.ts'
import { attendanceVisibleTo, markAttendance, markRoll, recordMark, unmarkAttendance } from './attendance.ts'

export function attendanceRoutes(app: App) {
  const classSnapshots = cacheClassSnapshots(app)
  serve(app, attendanceApi, {
    list: ({ tx, caller, query }) => attendanceVisibleTo(tx, caller, query),
    mark: {
      withoutTransaction: async ({ caller: { dojoId }, body }) => {
        const snapshot = (await classSnapshots(dojoId)).of.get(body.class_id)
        const recorded = snapshot && (await app.db.inDojo(dojoId, (tx) => tx.andCommit(() => recordMark(tx, body, snapshot))))
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
