import { expect, test } from 'vitest'
import { exampleClass, exampleSensei } from './fixtures.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
const { anonymous } = server
const admin = await server.signInSuperAdmin()
const sensei = await server.createSensei()
const kidsClass = await server.createClass(sensei)
const ken = await server.createStudent(sensei, { enrolled_classes: [kidsClass.id] })
const { invite_code } = (await sensei.get('/invitation')).body
const registration = { name: 'Mia Chen', email: 'mia@home.org', password: 'Kiai2026!', invite_code }
const mia = server.clientFor((await anonymous.post('/register', registration)).body.token)

const monthQuery = 'month=4&year=2026'
await sensei.post('/attendance', {
  student_id: ken.id,
  class_id: kidsClass.id,
  class_date: '2026-01-02T00:00:00.000Z',
  present: true,
})
await sensei.post('/payment-records', {
  student_id: ken.id,
  payment_month: 4,
  payment_year: 2026,
  payment_status: 'paid',
})
await sensei.post('/notifications/send', { title: 'Closed', message: 'On Monday.' })

const USER_FIELDS =
  'id name email is_instructor is_super_admin dojo_name contact_number city state ' +
  'phone_number belt_level date_of_birth gender emergency_contact_name ' +
  'emergency_contact_phone class_preferences enrolled_classes is_trial ' +
  'monthly_payment_amount on_vacation app_returned payment_method current_month_paid'
const CLASS_FIELDS =
  '_id id class_name description class_days class_start_time class_end_time created_at ' +
  'class_day location class_time time day days start_time end_time'
const ATTENDANCE_FIELDS =
  'id student_id student_name class_id class_name class_time class_location class_date present'
const PAYMENT_FIELDS = 'student_id payment_status marked_at updated_at payment_month payment_year'
const SENSEI_FIELDS =
  'sensei_id full_name dojo_name contact_number email city state total_students ' +
  'is_active created_at'

const readBody = async (response: Promise<{ status: number; body: any }>) => {
  const { status, body } = await response
  expect(status).toBe(200)
  return body
}
const ENTITIES: [name: string, fields: string, read: () => Promise<object>][] = [
  ['the super admin', USER_FIELDS, () => readBody(admin.get('/profile'))],
  ['an instructor', USER_FIELDS, () => readBody(sensei.get('/profile'))],
  ['a student', USER_FIELDS, () => readBody(ken.get('/profile'))],
  ['a student who joined by invitation', USER_FIELDS, () => readBody(mia.get('/profile'))],
  [
    'a student who logs in',
    USER_FIELDS,
    async () => (await readBody(anonymous.post('/login', registration))).user,
  ],
  ['a student in the list', USER_FIELDS, async () => (await readBody(sensei.get('/students')))[0]],
  [
    'a notification',
    'id title message sender_name created_at is_read read_at',
    async () => (await readBody(ken.get('/notifications')))[0],
  ],
  [
    'notification settings',
    'sound_enabled vibration_enabled push_enabled',
    () => readBody(ken.get('/notification-settings')),
  ],
  [
    'a sensei',
    SENSEI_FIELDS,
    async () => (await readBody(admin.get('/super-admin/sensei'))).sensei_list[0],
  ],
  ['a class', CLASS_FIELDS, async () => (await readBody(sensei.get('/classes')))[0]],
  ['a new class', CLASS_FIELDS, () => readBody(sensei.post('/classes', exampleClass()))],
  [
    'an attendance record',
    ATTENDANCE_FIELDS,
    async () => (await readBody(sensei.get('/attendance')))[0],
  ],
  [
    'an announcement',
    'title category content created_at',
    async () => (await readBody(ken.get('/announcements')))[0],
  ],
  [
    'dashboard stats',
    'total_students regular_students trial_students vacation_students',
    () => readBody(sensei.get('/dashboard/stats')),
  ],
  [
    'a birthday',
    'student_name date_of_birth',
    async () => (await readBody(sensei.get('/student-birthdays')))[0],
  ],
  [
    'a payment record',
    PAYMENT_FIELDS,
    async () => (await readBody(sensei.get(`/payment-records?${monthQuery}`)))[0],
  ],
  [
    'payment statistics',
    'total_monthly_paying_students total_paid_this_month total_yet_to_pay monthly_revenue',
    () => readBody(sensei.get(`/payment-statistics?${monthQuery}`)),
  ],
  [
    'daily message usage',
    'date message_count daily_limit remaining_messages limit_reached',
    () => readBody(sensei.get('/daily-message-usage')),
  ],
  [
    'the text service',
    'status connected user instructorId phone_number service error',
    () => readBody(sensei.get('/sms/status')),
  ],
  ['a QR code', 'qr status connected user', () => readBody(sensei.get('/whatsapp/qr'))],
  [
    'the welcome message',
    'welcome_message_enabled',
    () => readBody(sensei.get('/welcome-message-settings')),
  ],
  [
    'the system configuration',
    'daily_message_limit',
    () => readBody(admin.get('/super-admin/system-config')),
  ],
  [
    'super admin stats',
    'total_sensei active_sensei inactive_sensei',
    () => readBody(admin.get('/super-admin/dashboard-stats')),
  ],
]

test.each(ENTITIES)(
  '%s has every field of the specification, even fields that are not set',
  async (_, fields, readEntity) => {
    const names = Object.keys(await readEntity())
    expect(fields.split(' ').filter((field) => !names.includes(field))).toEqual([])
  },
)

test('fields that are not set are null, and lists are empty', async () => {
  expect(await readBody(mia.get('/profile'))).toMatchObject({
    date_of_birth: null,
    phone_number: null,
    emergency_contact_name: null,
    emergency_contact_phone: null,
    monthly_payment_amount: null,
    payment_method: null,
    class_preferences: [],
    enrolled_classes: [],
    belt_level: 'white',
    is_trial: true,
    on_vacation: false,
    current_month_paid: false,
  })
  expect(await readBody(sensei.get('/profile'))).toMatchObject({
    belt_level: null,
    is_trial: null,
    class_preferences: null,
  })
  expect((await readBody(sensei.get('/classes')))[0]).toMatchObject({
    class_day: null,
    location: null,
    class_time: null,
    time: null,
    days: null,
  })
  const inactiveSensei = exampleSensei()
  await anonymous.post('/sensei/register', inactiveSensei)
  expect((await readBody(admin.get('/super-admin/sensei'))).sensei_list[0]).toMatchObject({
    email: inactiveSensei.email,
    is_active: false,
    total_students: 0,
  })
})
