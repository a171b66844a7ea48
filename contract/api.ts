import { attendanceApi } from './attendance.ts'
import { classesApi } from './classes.ts'
import { dashboardApi } from './dashboard.ts'
import type { Api, Endpoint } from './endpoint.ts'
import { profileApi } from './profile.ts'
import { senseiApi } from './sensei.ts'
import { studentsApi } from './students.ts'

/** Every call of Tatami, by noun. */
export const api = {
  classes: classesApi,
  students: studentsApi,
  attendance: attendanceApi,
  sensei: senseiApi,
  profile: profileApi,
  dashboard: dashboardApi,
} as const satisfies Record<string, Api>

export const endpoints: Endpoint[] = Object.values(api).flatMap((calls: Api) => Object.values(calls))
