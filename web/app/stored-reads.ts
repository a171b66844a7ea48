/** What this device stores for attendance offline: no phones, addresses, notes or money. */
import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  ATTENDANCE_PAGE,
  type AttendanceRecord,
  attendanceApi,
} from '@tatami/contract/attendance/attendance'
import {
  classDatesApi,
  type DatedClass,
  type DatesQuery,
} from '@tatami/contract/calendar/class-dates'
import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import { type Excuse, excusesApi } from '@tatami/contract/calendar/excuses'
import { profileApi } from '@tatami/contract/profile/profile'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { NOT_A_STUDENT, type SignedInUser } from '@tatami/contract/accounts/users'
import { call } from '../lib/api.ts'
import {
  startCopies,
  type CallInput,
  type Copy,
  type CopyRule,
  type CopyRules,
} from '../lib/copies.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery, queryClient } from '../lib/query.ts'
import { storedStudent } from '../students/stored-student.ts'

const MOST_CLASSES = 300,
  MOST_STUDENTS = 2000,
  MOST_LISTS = 30,
  MOST_RECORDS = 1000,
  DAYS_AHEAD = 7

/** True for instructors: nobody else's device stores anything. */
let mayStore = false

const rule = (pick: CopyRule['pick'], options: Partial<CopyRule> = {}): CopyRule => ({
  most: 1,
  ...options,
  pick: (reply, input) => (mayStore ? pick(reply, input) : undefined),
})

const storedProfile = (user: SignedInUser): SignedInUser => ({
  ...NOT_A_STUDENT,
  id: user.id,
  name: user.name,
  is_instructor: true,
  is_super_admin: false,
  is_guardian: user.is_guardian,
  dojo_name: user.dojo_name,
  time_zone: user.time_zone,
  belt_test_name: user.belt_test_name,
  sign_in_step: null,
  students: [],
  email: '',
  contact_number: null,
  city: null,
  state: null,
  phone_number: null,
})

type Filter = {
  class_id?: string
  class_date?: string
  student_id?: string
  before?: string
  limit?: number
}
const filterOf = (input: CallInput) => (input?.query ?? {}) as Filter
type OfADay = { class_id: string | null; class_date: string }
type List = Copy<OfADay[]>

const isOf =
  ({ class_id, class_date }: Filter) =>
  (record: OfADay) =>
    (class_id === undefined || record.class_id === class_id) &&
    (class_date === undefined || record.class_date.startsWith(class_date))
/** The newest records contain all of a day only if they reach beyond it. */
const covers = (list: List, { class_id, class_date }: Filter) => {
  const listFilter = filterOf(list.asked)
  if (listFilter.class_id !== undefined && listFilter.class_id !== class_id) return false
  if (listFilter.class_date !== undefined || class_date === undefined)
    return listFilter.class_date === class_date
  const oldest = list.data.at(-1)
  return (
    !oldest ||
    list.data.length < (listFilter.limit ?? ATTENDANCE_PAGE) ||
    oldest.class_date.slice(0, 10) < class_date
  )
}
const isWhole = ({ student_id, before }: Filter) => student_id === undefined && before === undefined
function fromAnother(input: CallInput, copies: readonly Copy<never>[]) {
  const filter = filterOf(input)
  if (!isWhole(filter)) return undefined
  const [list] = (copies as readonly List[])
    .filter((copy) => covers(copy, filter))
    .toSorted((a, b) => b.readAt - a.readAt)
  return (
    list && { readAt: list.readAt, data: list.data.filter(isOf(filter)).slice(0, filter.limit) }
  )
}
const isReadAhead = (input: CallInput) => {
  const { class_id, class_date, limit, from } = filterOf(input) as Filter & DatesQuery
  return (
    class_id === undefined && limit === undefined && (class_date ?? from ?? today()) === today()
  )
}
const lists = rule(
  (records: (AttendanceRecord | Excuse)[], input) =>
    isWhole(filterOf(input)) ? records.slice(0, MOST_RECORDS) : undefined,
  { derive: fromAnother, isBase: isReadAhead, most: MOST_LISTS },
)

const storedDates = (dates: DatedClass[], input: CallInput) =>
  datesAsked(input).with_places ? undefined : dates.map((date) => ({ ...date, students: [] }))
const datesAsked = (input: CallInput) => (input?.query ?? {}) as DatesQuery
function datesFromAnother(input: CallInput, copies: readonly Copy<never>[]) {
  const { from, until, class_id, with_places } = datesAsked(input)
  if (!from || !until || with_places) return undefined
  const hasAll = (copy: Copy) => {
    const copyQuery = datesAsked(copy.asked)
    if (!copyQuery.from || !copyQuery.until) return false
    return (
      (copyQuery.class_id ?? class_id) === class_id &&
      copyQuery.from <= from &&
      copyQuery.until >= until
    )
  }
  const [list] = (copies as readonly Copy<DatedClass[]>[])
    .filter(hasAll)
    .toSorted((a, b) => b.readAt - a.readAt)
  const isAsked = (date: DatedClass) =>
    date.day >= from && date.day <= until && (class_id ?? date.class_id) === date.class_id
  return list && { readAt: list.readAt, data: list.data.filter(isAsked) }
}

const RULES: CopyRules = {
  'GET /profile': {
    most: 1,
    isTimeless: true,
    pick: (user: SignedInUser) => {
      mayStore = user.is_instructor && !user.is_super_admin && !user.sign_in_step
      return mayStore ? storedProfile(user) : undefined
    },
  },
  'GET /classes': rule((classes: DojoClass[]) => classes.slice(0, MOST_CLASSES)),
  'GET /students': rule((students: Student[]) =>
    students.slice(0, MOST_STUDENTS).map(storedStudent),
  ),
  'GET /class-dates': rule(storedDates, {
    derive: datesFromAnother,
    isBase: isReadAhead,
    most: MOST_LISTS,
  }),
  'GET /attendance': lists,
  'GET /excuses': lists,
}

export const startStoredReads = () =>
  startCopies({ rules: RULES, probe: () => call(profileApi.show) })

const MOST_AGE_MS = 10 * 60_000

/** Reads what attendance needs ahead, because the network may be lost before a roll is opened. */
export async function readAhead() {
  const day = { query: { class_date: today() } }
  const week = { query: { from: today(), until: addDays(today(), DAYS_AHEAD) } }
  const ask = <Q extends { queryKey: readonly unknown[] }>(query: Q) => ({
    ...query,
    staleTime: MOST_AGE_MS,
    retry: false,
  })
  await Promise.allSettled([
    queryClient.query(ask(endpointQuery(studentsApi.list))),
    queryClient.query(ask(endpointQuery(classesApi.list))),
    queryClient.query(ask(endpointQuery(classDatesApi.list, week))),
    queryClient.query(ask(endpointQuery(attendanceApi.list, day))),
    queryClient.query(ask(endpointQuery(attendanceApi.list, { query: {} }))),
    queryClient.query(ask(endpointQuery(excusesApi.list, day))),
  ])
}
