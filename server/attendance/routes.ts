import { attendanceApi } from '@tatami/contract/attendance'
import { type App, serve } from '../kernel/serve.ts'
import { attendanceSeenBy, markAttendance } from './attendance.ts'

export const attendanceRoutes = (app: App) => serve(app, attendanceApi, {
  list: ({ tx, caller, query }) => attendanceSeenBy(tx, caller, query),
  mark: ({ tx, body }) => markAttendance(tx, body),
})
