export const PATHS = {
  dashboard: '/dashboard',
  numbers: '/numbers',
  students: '/students',
  student: '/students/:id',
  slippingAway: '/slipping-away',
  plans: '/plans',
  belts: '/belts',
  readyForTest: '/belts/ready',
  gradings: '/gradings',
  grading: '/gradings/:id',
  importStudents: '/import-students',
  families: '/families',
  leads: '/leads',
  followups: '/first-90-days',
  attendance: '/attendance',
  classCenter: '/class-center',
  schedule: '/schedule',
  holidays: '/holidays',
  paymentCenter: '/payment-center',
  paymentTracking: '/payment-tracking',
  cashCount: '/cash-count',
  paymentFigures: '/payment-figures',
  receipts: '/receipts',
  receipt: '/receipts/:id',
  statement: '/statements/:of/:id',
  owing: '/owing',
  messageCenter: '/message-center',
  announcements: '/announcements',
  conversations: '/messages',
  smsSetup: '/sms-setup',
  automaticReminders: '/automatic-reminders',
  simulator: '/simulator',
  notificationSettings: '/notification-settings',
  security: '/security',
  school: '/school',
  onlinePayment: '/online-payment',
  onlinePayments: '/online-payments',
  documents: '/documents',
  document: '/documents/:id',
  ownDocuments: '/my-documents',
  publicPage: '/public-page',
  trials: '/trials',
  kiosks: '/kiosks',
  auditLog: '/audit-log',
  staff: '/staff',
  hours: '/hours',
  pay: '/pay',
  myCertificates: '/my-certificates',
  superAdmin: '/super-admin',
  join: '/join/:code',
  acceptInvitation: '/accept-invitation',
  joinStaff: '/join-staff',
  kiosk: '/kiosk',
  consentForm: '/consent-form',
  privacy: '/privacy',
  resetPassword: '/reset-password',
  recoverAccount: '/recover-account',
  certificate: '/certificate/:code',
} as const

export type PageName = keyof typeof PATHS

type FilledPath<Path extends string> = Path extends `${infer Start}:${string}/${infer Rest}`
  ? `${Start}${string}/${FilledPath<Rest>}`
  : Path extends `${infer Start}:${string}`
    ? `${Start}${string}`
    : Path

export type PagePath = FilledPath<(typeof PATHS)[PageName]>
export type LinkPath = PagePath | `${PagePath}?${string}`

const withQuery = <Path extends string>(path: Path, query: Record<string, string>) =>
  `${path}?${new URLSearchParams(query)}` as const

const fillPath = <Path extends string>(path: Path, params: Record<string, string>) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '') as FilledPath<Path>

export const studentPath = (id: string) => fillPath(PATHS.student, { id })
export const gradingPath = (id: string) => fillPath(PATHS.grading, { id })
export const documentPath = (id: string) => fillPath(PATHS.document, { id })
export const receiptPath = (id: string) => fillPath(PATHS.receipt, { id })
export const studentStatementPath = (id: string) => fillPath(PATHS.statement, { of: 'student', id })
export const familyStatementPath = (payerId: string) =>
  fillPath(PATHS.statement, { of: 'family', id: payerId })

export const rollPath = ({ class_id, day }: { class_id: string; day: string }) =>
  withQuery(PATHS.attendance, { class: class_id, date: day })
export const studentAttendancePath = (student: string) => withQuery(PATHS.attendance, { student })
export const classSchedulePath = (classId: string) => withQuery(PATHS.schedule, { class: classId })

export const leadPath = (lead: string) => withQuery(PATHS.leads, { lead })
export const newLeadPath = (phone: string) => withQuery(PATHS.leads, { phone })
export const phoneConversationPath = (phone: string) => withQuery(PATHS.conversations, { phone })
export const studentConversationPath = (student: string) =>
  withQuery(PATHS.conversations, { student })

const ATTENDANCE_VIEW = 'attendance'
/** The location state of the Student Center while it shows attendance (specification, section
 *  2). */
export const ATTENDANCE_STATE = { view: ATTENDANCE_VIEW }
export const isAttendanceState = (state: unknown) =>
  (Object(state) as { view?: unknown }).view === ATTENDANCE_VIEW
