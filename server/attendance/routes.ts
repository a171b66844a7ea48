import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { type App, serve, okReply } from '../http/serve.ts'
import { listAttendance, markAttendance, markRoll, unmarkAttendance } from './attendance.ts'

export const attendanceRoutes = (app: App) =>
  serve(app, attendanceApi, {
    list: ({ tx, caller, query }) => listAttendance(tx, caller, query),
    mark: ({ tx, caller, body }) => markAttendance(tx, body, caller.id),
    markRoll: ({ tx, caller, body }) => markRoll(tx, body, caller.id),
    unmark: ({ tx, query }) => okReply(unmarkAttendance(tx, query)),
  })
