import {
  DAY_MS,
  addMonths,
  daysBetween,
  firstDayOf,
  weekdayOf,
  yearOf,
} from '@tatami/contract/lib/calendar-day'
import { type DojoClass } from '@tatami/contract/classes/classes'
import { type Belt, BELTS } from '@tatami/contract/lib/ranks'
import { LEAVE_REASONS } from '@tatami/contract/students/leaving'
import { type Student } from '@tatami/contract/students/students'
import { type NewStudent, studentUpdate } from '@tatami/contract/students/student-form'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { OWNER_SCOPE } from '../accounts/staff-caller.ts'
import { firstRow, pluck } from '../lib/rows.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { hashPassword } from '../accounts/passwords.ts'
import { accounts } from '../accounts/tables.ts'
import { announceToSelection } from '../messages/announcements/announcements.ts'
import { markRoll } from '../attendance/attendance.ts'
import { addClass } from '../classes/classes.ts'
import { setSkippedSteps } from '../dashboard/setup.ts'
import { defineBelts, giveMonthlyStripes, planTonightsTest, TEST_TIME } from './belts.ts'
import { sendTexts } from './messages.ts'
import { cancelIcyDay, planHoliday, ICY_DAYS_AGO, planDates } from './dates.ts'
import {
  excuseOneChild,
  joinFamily,
  MOTHERS_EMAIL,
  SIBLING_PRICES,
  STUDENTS_WITHOUT_LOGIN,
} from './families.ts'
import { issueReceipts, simulatePayments } from './payments.ts'
import { CLASSES, NOTES, PEOPLE } from './people.ts'
import { setFace, setSchoolLook } from './pictures.ts'
import { monthIn, todayIn } from '../dojos/calendar.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { recordSharing } from '../dojos/invitation.ts'
import { createKiosk } from '../kiosk/kiosks.ts'
import { moveClock, now, nowIso } from '../lib/clock.ts'
import { formatDay, formatShortDay, formatTime } from '../lib/format-day.ts'
import type { Database, Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { setSiblingPriceRule } from '../dues/prices/prices.ts'
import { notifications } from '../notifications/tables.ts'
import { registerSensei } from '../sensei/registration.ts'
import { changeNotes } from '../students/notes.ts'
import { leaveSchool } from '../students/leaving.ts'
import { addStudent, changeStudent } from '../students/students.ts'

const PASSWORD = 'Tatami2026'
const SENSEI_EMAIL = 'sensei@cedarpark.com',
  STUDENT_EMAIL = 'ken.adams@cedarpark.com'
const TIME_ZONE = 'America/Chicago'
const SIMULATED_MONTHS = 12

/** The random numbers always start the same, so that every demo dojo has the same data. */
let randomState = 20_260_301
function isRandomlyTrue(probability: number): boolean {
  randomState = (randomState * 1_103_515_245 + 12_345) % 2_147_483_648
  return randomState / 2_147_483_648 < probability
}

type DemoStudent = (typeof PEOPLE)[number] & { student: Student }
type DemoClass = DojoClass & Pick<(typeof CLASSES)[number], 'ages' | 'belts' | 'every' | 'limit'>
type DemoDojo = {
  sensei: DojoCaller
  classes: DemoClass[]
  students: DemoStudent[]
  passwordHash: string
  today: string
  /** The `monthIndex` of the last month of the demo. */
  lastMonth: number
  /** Guardians' ids by name */
  guardians: Map<string, string>
}

/** Simulates a year: moves the clock and calls the same functions as the API. */
export async function seedDemo(db: Database, log: (line: string) => void): Promise<void> {
  const [existingAccount] = await db.withoutDojo((tx) =>
    tx.select().from(accounts).where(eq(accounts.email, SENSEI_EMAIL)),
  )
  if (!existingAccount) {
    log('Simulating a year of the demo dojo, which takes a few seconds …')
    await simulateYear(db)
  }
  log(
    `Log in as sensei ${SENSEI_EMAIL}, as student ${STUDENT_EMAIL} ` +
      `or as their mother ${MOTHERS_EMAIL}, all with the password ${PASSWORD}`,
  )
}

async function simulateYear(db: Database) {
  const firstDay = firstDayOf(addMonths(monthIn(TIME_ZONE), 1 - SIMULATED_MONTHS))
  const startMs = Date.parse(`${firstDay}T15:00Z`),
    endMs = now().getTime()
  const today = todayIn(TIME_ZONE)
  moveClock(startMs - endMs)
  const dojo = await createDemoDojo(db, today)
  for (let timeMs = startMs; timeMs < endMs; timeMs += DAY_MS) {
    await db.inDojo(dojo.sensei.dojoId, (tx) => simulateDay(tx, dojo))
    moveClock(DAY_MS)
  }
  moveClock(endMs - now().getTime())
  await db.inDojo(dojo.sensei.dojoId, (tx) => planComingDays(tx, dojo))
}

async function planComingDays(tx: Tx, { sensei, classes, guardians, today, ...dojo }: DemoDojo) {
  const students = pluck(dojo.students, 'student')
  await excuseOneChild(tx, sensei, students, guardians)
  await planDates(tx, sensei, classes, students)
  await planTonightsTest(tx, sensei, today)
  await createKiosk(tx, sensei, 'Front door')
  await recordSharing(tx, sensei.dojoId)
  await readOldNotifications(tx)
  // Nobody can set up real texting in a demo.
  await setSkippedSteps(tx, sensei.dojoId, ['texting'])
}

const READ_AFTER_DAYS = 7

/** Marks notifications that are more than a week old as read. */
const readOldNotifications = (tx: Tx) =>
  tx
    .update(notifications)
    .set({ read_at: nowIso() })
    .where(
      and(
        isNull(notifications.read_at),
        lt(
          notifications.created_at,
          new Date(now().getTime() - READ_AFTER_DAYS * DAY_MS).toISOString(),
        ),
      ),
    )

async function createDemoDojo(db: Database, today: string): Promise<DemoDojo> {
  await registerSensei(
    db,
    {
      first_name: 'Aiko',
      last_name: 'Tanaka',
      email: SENSEI_EMAIL,
      contact_area_code: '512',
      contact_number: '5550100',
      password: PASSWORD,
      retype_password: PASSWORD,
      city: 'Cedar Park',
      state: 'Texas',
      dojo_name: 'Cedar Park Judo',
    },
    '127.0.0.1',
  )
  const account = firstRow(
    await db.withoutDojo((tx) =>
      tx
        .update(accounts)
        .set({ is_active: true })
        .where(eq(accounts.email, SENSEI_EMAIL))
        .returning(),
    ),
  )
  const sensei: DojoCaller = {
    id: account.id,
    role: 'instructor',
    dojoId: mustExist(account.dojo_id, 'The dojo'),
    sessionId: '',
    staff: OWNER_SCOPE,
    step: null,
  }
  const classes = await db.inDojo(sensei.dojoId, async (tx) => {
    const demoClasses: DemoClass[] = []
    await setSiblingPriceRule(tx, sensei, SIBLING_PRICES)
    await defineBelts(tx, sensei)
    await setSchoolLook(tx, sensei)
    for (const demoClass of CLASSES)
      demoClasses.push({ ...demoClass, ...(await addClass(tx, demoClass)) })
    return demoClasses
  })
  return {
    sensei,
    classes,
    students: [],
    guardians: new Map(),
    lastMonth: monthIndex() + SIMULATED_MONTHS - 1,
    passwordHash: await hashPassword(PASSWORD),
    today,
  }
}

function monthIndex(): number {
  const { month, year } = monthIn(TIME_ZONE)
  return year * 12 + month
}

async function simulateDay(tx: Tx, dojo: DemoDojo) {
  const day = todayIn(TIME_ZONE),
    { month, year } = monthIn(TIME_ZONE)
  const monthsAgo = dojo.lastMonth - monthIndex()
  if (day.endsWith('-01')) await enrollNewStudents(tx, dojo, monthsAgo)
  const students = pluck(dojo.students, 'student')
  await simulatePayments(
    tx,
    day,
    { month, year },
    { sensei: dojo.sensei, students, monthsAgo, isRandomlyTrue },
  )
  await issueReceipts(tx, dojo.sensei, day, [...dojo.guardians.values()])
  if (day.endsWith('-10')) await giveMonthlyStripes(tx, dojo.sensei, students, monthsAgo)
  if (day.endsWith('-15')) await updateStudents(tx, dojo, monthsAgo)
  if (day.endsWith('-20')) await sendAnnouncement(tx, dojo, monthsAgo)
  await sendTexts(tx, dojo.sensei, pluck(dojo.classes, 'id'), day, daysBetween(day, dojo.today))
  const daysAgo = daysBetween(day, dojo.today)
  if (daysAgo === ICY_DAYS_AGO) await cancelIcyDay(tx, dojo.sensei, dojo.classes, day)
  else if (daysAgo > 0) await recordAttendance(tx, dojo, day)
}

const createEmail = (name: string) =>
  `${name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')}@cedarpark.com`

const padToTwoDigits = (number: number) => String(number).padStart(2, '0')

const attendsClass = (
  { ages: [minAge, maxAge], belts, every = 1 }: DemoClass,
  { age, belt }: (typeof PEOPLE)[number],
  index: number,
) => age >= minAge && age <= maxAge && (!belts || belts.includes(belt)) && index % every === 0

/** Students who joined in the first month begin one belt below their current belt. */
function firstBelt({ joinedMonthsAgo, belt }: (typeof PEOPLE)[number]): Belt {
  if (joinedMonthsAgo < SIMULATED_MONTHS - 1) return 'white'
  return BELTS[BELTS.indexOf(belt) - 1] ?? 'white'
}

function studentForm(person: (typeof PEOPLE)[number], index: number, dojo: DemoDojo): NewStudent {
  const today = todayIn(TIME_ZONE)
  const birthday =
    person.name === 'Ken Adams'
      ? dojo.today.slice(5).replace('02-29', '02-28')
      : `${padToTwoDigits(1 + ((index * 5) % 12))}-${padToTwoDigits(1 + ((index * 11) % 28))}`
  const enrolled_classes = dojo.classes
    .filter((demoClass) => attendsClass(demoClass, person, index))
    .map(({ id }) => id)
  const phone = `(512) 555-0${100 + index}`
  return {
    name: person.name,
    email: createEmail(person.name),
    password: PASSWORD,
    belt_level: firstBelt(person),
    gender: person.gender,
    phone_number: phone,
    emergency_contact_name: person.parent,
    emergency_contact_phone: phone.replace('0', '1'),
    date_of_birth: `${yearOf(today) - person.age}-${birthday}`,
    class_preferences: enrolled_classes,
    enrolled_classes,
    is_trial: person.kind === 'trial',
    monthly_payment_amount: person.fee,
  }
}

async function enrollNewStudents(tx: Tx, dojo: DemoDojo, monthsAgo: number) {
  const dojoRow = await dojoById(tx, dojo.sensei.dojoId)
  for (const [index, person] of PEOPLE.entries()) {
    if (person.joinedMonthsAgo !== monthsAgo) continue
    const hash = STUDENTS_WITHOUT_LOGIN.includes(person.name) ? null : dojo.passwordHash
    const form = studentForm(person, index, dojo)
    const student = await addStudent(tx, dojo.sensei, dojoRow, form, hash)
    await joinFamily(tx, dojo.sensei, student, dojo.guardians, dojo.passwordHash)
    await setFace(tx, dojo.sensei, student)
    const notes = NOTES[person.name]
    if (notes) await changeNotes(tx, dojo.sensei, student.id, notes)
    dojo.students.push({ ...person, student })
  }
}

async function updateStudents(tx: Tx, dojo: DemoDojo, monthsAgo: number) {
  for (const demoStudent of [...dojo.students]) {
    const { student, belt, kind } = demoStudent
    if (kind === 'left' && monthsAgo <= demoStudent.joinedMonthsAgo - 5) {
      await leaveDojo(tx, dojo, student)
      dojo.students.splice(dojo.students.indexOf(demoStudent), 1)
      continue
    }
    const hasEarnedBelt =
        student.belt_level !== belt && monthsAgo <= findPromotionMonth(demoStudent),
      isOnVacation = kind === 'vacation' && monthsAgo <= 1
    if (!hasEarnedBelt && !isOnVacation) continue
    const change = {
      ...toStudentUpdate(student),
      ...(hasEarnedBelt && { belt_level: belt }),
      on_vacation: isOnVacation,
    }
    demoStudent.student = (await changeStudent(tx, dojo.sensei, student.id, change)).student
  }
}

async function leaveDojo(tx: Tx, { sensei }: DemoDojo, { id, name }: Student): Promise<void> {
  const left_on = await todayOf(tx, sensei.dojoId)
  const reason = LEAVE_REASONS[name.length % LEAVE_REASONS.length] ?? 'other'
  await leaveSchool(tx, sensei, id, { left_on, reason, writes_off_debts: true })
}

const findPromotionMonth = ({ name, joinedMonthsAgo }: DemoStudent): number =>
  joinedMonthsAgo < 6 ? 2 : 2 + 4 * (name.length % 2)

const toStudentUpdate = (student: Student) => studentUpdate.parse(student)

function composeAnnouncements(today: string) {
  const { first_day, last_day } = planHoliday(today)
  return [
    {
      title: `Belt test on ${formatShortDay(today)}`,
      category: 'general',
      message:
        `The belt test starts at ${formatTime(TEST_TIME)}. Please wear a clean gi, come 15 minutes ` +
        'early and bring your membership card. Families are welcome to watch.',
    },
    {
      title: 'Holiday hours',
      category: 'general',
      message: `The dojo is closed on ${formatDay(first_day)} and ${formatDay(last_day)}.`,
    },
    {
      title: 'Monthly fee',
      category: 'fee',
      message: 'The fee for next month is due on the 1st. Thank you for paying on time.',
    },
  ] as const
}

async function sendAnnouncement(tx: Tx, dojo: DemoDojo, monthsAgo: number) {
  const announcement = composeAnnouncements(dojo.today)[monthsAgo]
  if (announcement) await announceToSelection(tx, dojo.sensei, announcement)
}

async function recordAttendance(
  tx: Tx,
  { classes, students, sensei }: DemoDojo,
  class_date: string,
) {
  const weekday = weekdayOf(class_date)
  for (const { id: class_id } of classes.filter(({ class_days }) => class_days.includes(weekday))) {
    const marks = students
      .filter(({ student }) => student.enrolled_classes.includes(class_id) && !student.on_vacation)
      .map(({ student }) => ({ student_id: student.id, present: isRandomlyTrue(0.83) }))
    if (marks.length > 0) await markRoll(tx, { class_id, class_date, marks }, sensei.id)
  }
}
