import { followupsApi } from '@tatami/contract/followups/followups'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { type App, type DojoCaller, okReply, serve } from '../http/serve.ts'
import { setState, startByHand, stopByHand } from './change.ts'
import { findFirstWeekStudents } from './first-week.ts'
import { listNewStudents, readDueSteps, readStudentFollowups } from './followups.ts'
import { changePlan, readPlan } from './plans.ts'

type Input = { tx: Tx; caller: DojoCaller }

const todayFor = ({ tx, caller }: Input) => todayOf(tx, caller.dojoId)
const replyWithStudent = async (input: Input, id: string) =>
  readStudentFollowups(input.tx, id, await todayFor(input))

export const followupsRoutes = (app: App) =>
  serve(app, followupsApi, {
    plan: ({ tx }) => readPlan(tx),
    changePlan: ({ tx, caller, body }) => changePlan(tx, caller, body),
    due: async (input) => readDueSteps(input.tx, await todayFor(input), Number.POSITIVE_INFINITY),
    students: async (input) => listNewStudents(input.tx, await todayFor(input)),
    firstWeek: async (input) => ({
      student_ids: await findFirstWeekStudents(input.tx, await todayFor(input)),
    }),
    student: ({ params, ...input }) => replyWithStudent(input, params.id),
    start: async ({ params, ...input }) => {
      await startByHand(input.tx, input.caller, params.id)
      return replyWithStudent(input, params.id)
    },
    stop: async ({ params, ...input }) => {
      await stopByHand(input.tx, input.caller, params.id)
      return replyWithStudent(input, params.id)
    },
    setState: ({ tx, caller, params, body }) =>
      okReply(setState(tx, caller, params.id, body.state)),
  })
