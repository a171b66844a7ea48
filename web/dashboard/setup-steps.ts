import {
  IconCalendarEvent,
  IconClipboardCheck,
  IconDeviceTablet,
  IconFileImport,
  IconLink,
  IconMessage2,
  IconMilitaryAward,
  type Icon,
} from '@tabler/icons-react'
import type { SetupProgress, SetupStep } from '@tatami/contract/dashboard/setup'
import { type LinkPath, PATHS } from '../lib/paths.ts'

export type StepProgress = SetupProgress[number]

type StepText = {
  title: string
  text: string
  minutes: number
  /** True if the school then has to wait for others, such as US carriers. */
  takesDays?: boolean
  action: string
  StepIcon: Icon
  /** Null if the step opens a dialog instead of a page. */
  path: LinkPath | null
  alternative?: { label: string; path: LinkPath }
}

export type StepActions = {
  getText: (stepProgress: StepProgress) => StepText
  openDialog: () => void
  skip: (step: SetupStep) => void
  bringBack: (step: SetupStep) => void
}

const SETUP_TEXTS: Record<SetupStep, StepText> = {
  classes: {
    title: 'Add your classes',
    text: 'All you need is a name, a description, days and times. Attendance and reminders use them.',
    minutes: 3,
    action: 'Add classes',
    StepIcon: IconCalendarEvent,
    path: `${PATHS.classCenter}?open=add`,
  },
  students: {
    title: 'Import your students',
    text:
      'Paste or upload your list, or an export from Gymdesk, Kicksite or Zen Planner. You see ' +
      'everything before it is saved.',
    minutes: 5,
    action: 'Import a list',
    StepIcon: IconFileImport,
    path: PATHS.importStudents,
    alternative: { label: 'Enroll one by one', path: PATHS.students },
  },
  belts: {
    title: 'Choose your belts',
    text: 'Start from a template for your style, or keep the seven standard belts.',
    minutes: 2,
    action: 'Choose belts',
    StepIcon: IconMilitaryAward,
    path: PATHS.belts,
  },
  roll: {
    title: 'Take your first roll',
    text: 'One tap per student. It works offline, too.',
    minutes: 1,
    action: 'Take the roll',
    StepIcon: IconClipboardCheck,
    path: PATHS.attendance,
  },
  texting: {
    title: 'Set up texting',
    text:
      'Tatami sends reminders and cancellations from your own Twilio number. US carriers require ' +
      'you to register it first (A2P). That takes days, so start early.',
    minutes: 10,
    takesDays: true,
    action: 'Set up texting',
    StepIcon: IconMessage2,
    path: PATHS.smsSetup,
  },
  invitation: {
    title: 'Share your invite link',
    text: 'New students and parents fill in their own details. You only approve them.',
    minutes: 1,
    action: 'Show the link',
    StepIcon: IconLink,
    path: null,
  },
  kiosk: {
    title: 'Put a kiosk at the door',
    text: 'On a spare tablet, students check in by name, PIN or QR code.',
    minutes: 3,
    action: 'Set up a kiosk',
    StepIcon: IconDeviceTablet,
    path: PATHS.kiosks,
  },
}

/** An import of students adds classes that have only a name. */
const CLASSES_WITHOUT_TIMES: StepText = {
  ...SETUP_TEXTS.classes,
  title: 'Set the times of your classes',
  text: 'Your classes have no days and times yet. Attendance and reminders need them.',
  action: 'Set times',
  path: PATHS.classCenter,
}

const OPERATOR_TEXT =
  'First, ask the person who runs this server to prepare it. The page explains how. After that, US ' +
  'carriers require you to register your number (A2P), which takes days.'

export function getStepText(
  { step, state, needs_operator }: StepProgress,
  hasClasses: boolean,
): StepText {
  if (step === 'classes' && state !== 'done' && hasClasses) return CLASSES_WITHOUT_TIMES
  return needs_operator ? { ...SETUP_TEXTS[step], text: OPERATOR_TEXT } : SETUP_TEXTS[step]
}
