import { IconCalendarEvent, IconChartBar, IconCoin, IconMessage2, IconSend, IconUsers } from '@tabler/icons-react'

/** The six cards of the landing page (specification, sections 1 and 2). */
export const FEATURES = [
  {
    title: 'Enrollment and management',
    text: 'Enroll a student once: belt, classes, contacts and fee stay together and are a search away.',
    icon: IconUsers,
    belt: 'white',
  },
  {
    title: 'Payment tracking',
    text: 'See who has paid this month and who has yet to, and mark it with one press.',
    icon: IconCoin,
    belt: 'yellow',
  },
  {
    title: 'SMS announcements and reminders',
    text: 'Fee reminders go out by themselves. A cancelled class reaches everyone in time.',
    icon: IconSend,
    belt: 'orange',
  },
  {
    title: 'Class management',
    text: 'Days, times and who trains when. Attendance takes one tap for each student.',
    icon: IconCalendarEvent,
    belt: 'green',
  },
  {
    title: 'Analytics dashboard',
    text: 'Demographics, payment trends and a birthday calendar, drawn from what you already keep.',
    icon: IconChartBar,
    belt: 'blue',
  },
  {
    title: 'Message center',
    text: 'Write to one class or to all students, and see what was delivered.',
    icon: IconMessage2,
    belt: 'brown',
  },
] as const
