/** Decides what this device stores for taking attendance offline. It never stores phone numbers,
 *  addresses, notes or money. */
import { storesRolls } from '../lib/current-user.ts'
import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  ATTENDANCE_PAGE_SIZE,
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
import type { ClassEntry } from '@tatami/contract/plans/class-entries'
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
import { toStoredStudent } from '../students/stored-student.ts'

const MAX_CLASSES = 300
const MAX_STUDENTS = 2000
/** The limit for one endpoint. Each roll or day that the user opens adds a copy. */
const MAX_COPIES = 30
const MAX_RECORDS = 1000
const DAYS_AHEAD = 7
const READ_AHEAD_INTERVAL_MS = 10 * 60_000

let canStore = false

/** Creates a rule that stores nothing if the user may not take attendance. */
const createRollRule = (pick: CopyRule['pick'], options: Partial<CopyRule> = {}): CopyRule => ({
  maxCopies: 1,
  ...options,
  pick: (reply, input) => (canStore ? pick(reply, input) : undefined),
})

const toStoredProfile = (user: SignedInUser): SignedInUser => ({
  ...NOT_A_STUDENT,
  id: user.id,
  name: user.name,
  is_instructor: true,
  is_super_admin: false,
  is_guardian: user.is_guardian,
  dojo_name: user.dojo_name,
  time_zone: user.time_zone,
  belt_test_name: user.belt_test_name,
  dojo_logo: null,
  dojo_color: user.dojo_color,
  sign_in_step: null,
  students: [],
  staff: user.staff,
  has_family_view: user.has_family_view,
  is_in_family_view: user.is_in_family_view,
  email: '',
  contact_number: null,
  city: null,
  state: null,
  phone_number: null,
})

/** Lists the usable copies, starting with the newest. */
const listUsableCopies = <Data>(
  copies: readonly Copy<Data>[],
  isUsable: (copy: Copy<Data>) => boolean,
) => copies.filter(isUsable).toSorted((a, b) => b.readAt - a.readAt)

// The attendance records and excuses of one class and day can be filtered from a longer list.

type RecordFilter = {
  class_id?: string
  class_date?: string
  student_id?: string
  before?: string
  limit?: number
}
type DatedRecord = { class_id: string | null; class_date: string }

const readFilter = (input: CallInput) => (input?.query ?? {}) as RecordFilter

const matchesFilter = (record: DatedRecord, { class_id, class_date }: RecordFilter) =>
  (class_id === undefined || record.class_id === class_id) &&
  (class_date === undefined || record.class_date.startsWith(class_date))

const isFirstPage = ({ student_id, before }: RecordFilter) =>
  student_id === undefined && before === undefined

/** True if the copy contains all records that match the filter. */
function containsAll(copy: Copy<DatedRecord[]>, { class_id, class_date }: RecordFilter) {
  const copyFilter = readFilter(copy.input)
  if (copyFilter.class_id !== undefined && copyFilter.class_id !== class_id) return false
  if (copyFilter.class_date !== undefined || class_date === undefined)
    return copyFilter.class_date === class_date
  // A list of the newest records contains a whole day only if it begins before that day.
  const oldestRecord = copy.data.at(-1)
  const isComplete = copy.data.length < (copyFilter.limit ?? ATTENDANCE_PAGE_SIZE)
  return !oldestRecord || isComplete || oldestRecord.class_date.slice(0, 10) < class_date
}

function deriveRecords(input: CallInput, copies: readonly Copy<DatedRecord[]>[]) {
  const filter = readFilter(input)
  if (!isFirstPage(filter)) return undefined
  const [newestCopy] = listUsableCopies(copies, (copy) => containsAll(copy, filter))
  if (!newestCopy) return undefined
  const records = newestCopy.data.filter((record) => matchesFilter(record, filter))
  return { readAt: newestCopy.readAt, data: records.slice(0, filter.limit) }
}

/** True if `readAhead` requests this list. Other lists are derived from it. */
const isReadAhead = (input: CallInput) => {
  const { class_id, class_date, limit } = readFilter(input)
  const { from } = readDatesQuery(input)
  const day = class_date ?? from ?? today()
  return class_id === undefined && limit === undefined && day === today()
}

const recordsRule = createRollRule(
  (records: (AttendanceRecord | Excuse)[], input) =>
    isFirstPage(readFilter(input)) ? records.slice(0, MAX_RECORDS) : undefined,
  { derive: deriveRecords, isBase: isReadAhead, maxCopies: MAX_COPIES },
)

// The dates of one class or day can be filtered from a longer list of all classes.

const readDatesQuery = (input: CallInput) => (input?.query ?? {}) as DatesQuery

const pickDates = (dates: DatedClass[], input: CallInput) =>
  readDatesQuery(input).with_places ? undefined : dates.map((date) => ({ ...date, students: [] }))

function deriveDates(input: CallInput, copies: readonly Copy<DatedClass[]>[]) {
  const { from, until, class_id, with_places } = readDatesQuery(input)
  if (!from || !until || with_places) return undefined
  const containsPeriod = (copy: Copy) => {
    const copyQuery = readDatesQuery(copy.input)
    if (!copyQuery.from || !copyQuery.until) return false
    const hasClass = (copyQuery.class_id ?? class_id) === class_id
    return hasClass && copyQuery.from <= from && copyQuery.until >= until
  }
  const [newestCopy] = listUsableCopies(copies, containsPeriod)
  if (!newestCopy) return undefined
  const isInPeriod = (date: DatedClass) =>
    date.day >= from && date.day <= until && (class_id ?? date.class_id) === date.class_id
  return { readAt: newestCopy.readAt, data: newestCopy.data.filter(isInPeriod) }
}

const RULES: CopyRules = {
  'GET /profile': {
    maxCopies: 1,
    isTimeless: true,
    pick: (user: SignedInUser) => {
      canStore = storesRolls(user) && !user.sign_in_step
      return canStore ? toStoredProfile(user) : undefined
    },
    // After a change of the user's rights, the copies may contain too much or too little.
    outdatesAll: ({ staff }: SignedInUser, copy: SignedInUser) =>
      JSON.stringify(staff) !== JSON.stringify(copy.staff),
  },
  'GET /classes': createRollRule((classes: DojoClass[]) => classes.slice(0, MAX_CLASSES)),
  'GET /students': createRollRule((students: Student[]) =>
    students.slice(0, MAX_STUDENTS).map(toStoredStudent),
  ),
  'GET /class-dates': createRollRule(pickDates, {
    derive: deriveDates,
    isBase: isReadAhead,
    maxCopies: MAX_COPIES,
  }),
  'GET /attendance': recordsRule,
  'GET /excuses': recordsRule,
  'GET /class-entries': createRollRule((entries: ClassEntry[]) => entries, {
    maxCopies: MAX_COPIES,
  }),
}

/** Starts using the copies. While the server is unreachable, requests the profile to find out when
 *  it responds again. */
export const startStoredReads = () =>
  startCopies(RULES, async () => {
    const profile = await call(profileApi.show)
    queryClient.setQueryData(endpointQuery(profileApi.show).queryKey, profile)
  })

export async function readAhead() {
  const todayOnly = { query: { class_date: today() } }
  const comingWeek = { query: { from: today(), until: addDays(today(), DAYS_AHEAD) } }
  const withReadAheadOptions = <Query extends { queryKey: readonly unknown[] }>(query: Query) => ({
    ...query,
    staleTime: READ_AHEAD_INTERVAL_MS,
    retry: false,
  })
  await Promise.allSettled([
    queryClient.query(withReadAheadOptions(endpointQuery(studentsApi.list))),
    queryClient.query(withReadAheadOptions(endpointQuery(classesApi.list))),
    queryClient.query(withReadAheadOptions(endpointQuery(classDatesApi.list, comingWeek))),
    queryClient.query(withReadAheadOptions(endpointQuery(attendanceApi.list, todayOnly))),
    queryClient.query(withReadAheadOptions(endpointQuery(attendanceApi.list, { query: {} }))),
    queryClient.query(withReadAheadOptions(endpointQuery(excusesApi.list, todayOnly))),
  ])
}
