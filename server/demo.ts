import { WEEKDAYS, type DojoClass } from '@tatami/contract/classes'
import { BELTS, type NewStudent, type Student, studentUpdate } from '@tatami/contract/students'
import { eq } from 'drizzle-orm'
import { hashPassword } from './accounts/passwords.ts'
import { accounts } from './accounts/tables.ts'
import { sendNotification } from './announcements/announcements.ts'
import { markAttendance } from './attendance/attendance.ts'
import { addClass } from './classes/classes.ts'
import { textOn } from './demo-messages.ts'
import { CLASSES, PEOPLE } from './demo-people.ts'
import { monthIn, todayIn } from './dojos/calendar.ts'
import { DAY_MS, moveClock, now } from './lib/clock.ts'
import type { Database, Tx } from './db/database.ts'
import type { Member } from './http/serve.ts'
import { markPayment } from './payments/payments.ts'
import { registerSensei } from './sensei/registration.ts'
import { addStudent, changeStudent, deleteStudent } from './students/students.ts'

const PASSWORD = 'Tatami2026'
const SENSEI = 'sensei@cedarpark.com',
  STUDENT = 'ken.adams@cedarpark.com'
const ZONE = 'America/Chicago'
const MONTHS = 12

/** The same dojo at every start. */
let seed = 20_260_301
function chance(share: number): boolean {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648 < share
}

type Trainee = (typeof PEOPLE)[number] & { student: Student }
type DemoClass = DojoClass & Pick<(typeof CLASSES)[number], 'ages' | 'belts'>
type Dojo = { sensei: Member; classes: DemoClass[]; trainees: Trainee[]; hash: string; today: string; lastMonth: number }

/** Lives a year of one believable dojo with the domain's own verbs, in a database that has none yet. Prints the log-ins. */
export async function furnishDemo(db: Database, say: (line: string) => void): Promise<void> {
  const [known] = await db.withoutDojo((tx) => tx.select().from(accounts).where(eq(accounts.email, SENSEI)))
  if (!known) {
    say('Living a year of the demo dojo, which takes about half a minute …')
    await liveAYear(db)
  }
  say(`Log in as sensei ${SENSEI} or as student ${STUDENT}, both with the password ${PASSWORD}`)
}

async function liveAYear(db: Database) {
  const { month, year } = monthIn(ZONE)
  const began = Date.UTC(year, month - (MONTHS - 1), 1, 15),
    present = now().getTime()
  const today = todayIn(ZONE)
  moveClock(began - present)
  const dojo = await openDemoDojo(db, today)
  for (let at = began; at < present; at += DAY_MS) {
    await db.inDojo(dojo.sensei.dojoId, (tx) => liveADay(tx, dojo))
    moveClock(DAY_MS)
  }
  moveClock(present - now().getTime())
}

async function openDemoDojo(db: Database, today: string): Promise<Dojo> {
  await registerSensei(
    db,
    {
      first_name: 'Aiko',
      last_name: 'Tanaka',
      email: SENSEI,
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
  const [account] = await db.withoutDojo((tx) => tx.update(accounts).set({ is_active: true }).where(eq(accounts.email, SENSEI)).returning())
  const sensei: Member = { id: account!.id, role: 'instructor', dojoId: account!.dojo_id!, sessionId: '' }
  const classes = await db.inDojo(sensei.dojoId, async (tx) => {
    const added: DemoClass[] = []
    for (const planned of CLASSES) added.push({ ...planned, ...(await addClass(tx, planned)) })
    return added
  })
  return { sensei, classes, trainees: [], lastMonth: monthIndex() + MONTHS - 1, hash: await hashPassword(PASSWORD), today }
}

/** The months since year 0, where the dojo is. */
function monthIndex(): number {
  const { month, year } = monthIn(ZONE)
  return year * 12 + month
}

async function liveADay(tx: Tx, dojo: Dojo) {
  const day = todayIn(ZONE),
    { month, year } = monthIn(ZONE)
  const monthsAgo = dojo.lastMonth - monthIndex()
  if (day.endsWith('-01')) await enrolNewcomers(tx, dojo, monthsAgo)
  if (day.endsWith('-05')) await collectFees(tx, dojo, { payment_month: month, payment_year: year })
  if (day.endsWith('-15')) await promoteAndPart(tx, dojo, monthsAgo)
  if (day.endsWith('-20')) await announce(tx, dojo, monthsAgo)
  await textOn(
    tx,
    dojo.sensei,
    dojo.classes.map(({ id }) => id),
    day,
    (Date.parse(dojo.today) - Date.parse(day)) / DAY_MS,
  )
  // Today is left to whoever tries the demo.
  if (day < dojo.today) await trainOn(tx, dojo, day)
}

const emailOf = (name: string) =>
  `${name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')}@cedarpark.com`

const two = (number: number) => String(number).padStart(2, '0')

const belongsIn = ({ ages: [from, to], belts, class_name }: DemoClass, { age, belt }: (typeof PEOPLE)[number], index: number) =>
  age >= from && age <= to && (!belts || belts.includes(belt)) && (class_name !== 'Open Mat' || index % 3 === 0)

function formOf(person: (typeof PEOPLE)[number], index: number, dojo: Dojo): NewStudent {
  const today = todayIn(ZONE),
    belt = person.joined === 11 ? BELTS[Math.max(0, BELTS.indexOf(person.belt) - 1)]! : 'white'
  const born =
    person.name === 'Ken Adams'
      ? dojo.today.slice(5).replace('02-29', '02-28')
      : `${two(1 + ((index * 5) % 12))}-${two(1 + ((index * 11) % 28))}`
  const enrolled_classes = dojo.classes.filter((c) => belongsIn(c, person, index)).map(({ id }) => id)
  const phone = `(512) 555-0${100 + index}`
  return {
    name: person.name,
    email: emailOf(person.name),
    password: PASSWORD,
    belt_level: belt,
    gender: person.gender,
    phone_number: phone,
    emergency_contact_name: person.parent,
    emergency_contact_phone: phone.replace('0', '1'),
    date_of_birth: `${Number(today.slice(0, 4)) - person.age}-${born}`,
    class_preferences: enrolled_classes,
    enrolled_classes,
    is_trial: person.kind === 'trial',
    monthly_payment_amount: person.fee,
  }
}

async function enrolNewcomers(tx: Tx, dojo: Dojo, monthsAgo: number) {
  for (const [index, person] of PEOPLE.entries()) {
    if (person.joined !== monthsAgo) continue
    const student = await addStudent(tx, dojo.sensei.dojoId, formOf(person, index, dojo), dojo.hash)
    dojo.trainees.push({ ...person, student })
  }
}

async function collectFees(tx: Tx, { trainees }: Dojo, month: { payment_month: number; payment_year: number }) {
  for (const { student } of trainees) {
    if (!student.is_trial && !student.on_vacation && chance(0.86))
      await markPayment(tx, { ...month, student_id: student.id, payment_status: 'paid' })
  }
}

/** Belts are earned one by one, some go on vacation, some leave. */
async function promoteAndPart(tx: Tx, dojo: Dojo, monthsAgo: number) {
  for (const trainee of [...dojo.trainees]) {
    const { student, belt, kind } = trainee
    if (kind === 'left' && monthsAgo <= trainee.joined - 5) {
      await deleteStudent(tx, dojo.sensei, student.id)
      dojo.trainees.splice(dojo.trainees.indexOf(trainee), 1)
      continue
    }
    const earned = student.belt_level !== belt && monthsAgo <= 6,
      leavesForAWhile = kind === 'vacation' && monthsAgo <= 1
    if (!earned && !leavesForAWhile) continue
    const change = { ...asForm(student), ...(earned && { belt_level: belt }), on_vacation: leavesForAWhile }
    trainee.student = await changeStudent(tx, dojo.sensei.dojoId, student.id, change)
  }
}

/** What the edit dialog would send for a student whom nothing is missing of. */
const asForm = (student: Student) => studentUpdate.parse(student)

const WORDS = [
  {
    title: 'Belt test next Saturday',
    category: 'general',
    message:
      'The belt test begins at ten. Please come in a clean gi, a quarter of an hour early, and bring your membership card. Families are welcome to watch.',
  },
  { title: 'Holiday hours', category: 'general', message: 'The dojo is closed on Thursday and Friday. Open Mat on Saturday is as usual.' },
  { title: 'Monthly fee', category: 'fee', message: 'The fee for next month is due on the 1st. Thank you for paying on time.' },
]

async function announce(tx: Tx, dojo: Dojo, monthsAgo: number) {
  if (monthsAgo < WORDS.length) await sendNotification(tx, dojo.sensei, WORDS[monthsAgo]!)
}

async function trainOn(tx: Tx, { classes, trainees }: Dojo, class_date: string) {
  const weekday = WEEKDAYS[(new Date(`${class_date}T00:00:00Z`).getUTCDay() + 6) % 7]!
  for (const { id } of classes.filter(({ class_days }) => class_days.includes(weekday))) {
    for (const { student } of trainees.filter((one) => one.student.enrolled_classes.includes(id) && !one.student.on_vacation)) {
      await markAttendance(tx, { student_id: student.id, class_id: id, class_date, present: chance(0.83) })
    }
  }
}
