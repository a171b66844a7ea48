import { z } from 'zod'

export const RIGHT_GROUPS = ['Classes', 'Students', 'Belts', 'Texts', 'Money', 'School'] as const

/** Lists of rights for typical jobs. Owners have every right, including future ones. */
export const PRESETS = {
  instructor: { name: 'Instructor', about: 'Runs classes and teaches. No refunds or settings.' },
  assistant: { name: 'Assistant', about: 'Helps in classes: the roll, belts and medical notes.' },
  desk: { name: 'Front desk', about: 'Students, timetable, texts and payments. No totals.' },
  bookkeeper: { name: 'Bookkeeper', about: 'Money only. No texts, no notes.' },
  helper: { name: 'Helper', about: 'For teenagers: the roll of their own classes, first names.' },
} as const
export type Preset = keyof typeof PRESETS
export const PRESET_NAMES = Object.keys(PRESETS) as [Preset, ...Preset[]]

type RightDefinition = {
  group: (typeof RIGHT_GROUPS)[number]
  /** Completes the sentence "Can …", such as "take attendance". */
  allows: string
  /** Rights that are added automatically with this one, because it is useless without them. */
  needs: readonly string[]
  /** The menu items that the right makes visible. */
  screens: readonly string[]
  presets: readonly Preset[]
  /** False if the right concerns the whole school, so it cannot be limited to some classes. */
  canLimitToClasses: boolean
}

/** What a member of staff may see and do in a school. */
export const RIGHTS = {
  roll: {
    group: 'Classes',
    allows: 'take attendance',
    needs: [],
    screens: ['Roll', 'Attendance'],
    presets: ['instructor', 'assistant', 'desk', 'helper'],
    canLimitToClasses: true,
  },
  kiosk: {
    group: 'Classes',
    allows: 'set up the kiosk',
    needs: [],
    screens: ['Kiosk'],
    presets: ['instructor', 'assistant', 'desk'],
    canLimitToClasses: true,
  },
  schedule: {
    group: 'Classes',
    allows: 'change classes, dates and holidays',
    needs: [],
    screens: ['Classes', 'Holidays'],
    presets: ['instructor', 'desk'],
    canLimitToClasses: false,
  },
  'students.read': {
    group: 'Students',
    allows: 'see full names and training details',
    needs: [],
    screens: ['Students', 'Families', 'Belts'],
    presets: ['instructor', 'assistant', 'desk', 'bookkeeper'],
    canLimitToClasses: true,
  },
  'students.contact': {
    group: 'Students',
    allows: 'see phones, emails and guardians',
    needs: ['students.read'],
    screens: ['Students', 'Families'],
    presets: ['instructor', 'desk'],
    canLimitToClasses: true,
  },
  'students.edit': {
    group: 'Students',
    allows: 'enroll and change students',
    needs: ['students.read', 'students.contact'],
    screens: ['Add student', 'Import students', 'Invite'],
    presets: ['instructor', 'desk'],
    canLimitToClasses: false,
  },
  medical: {
    group: 'Students',
    allows: 'see allergies and medical notes',
    needs: ['students.read'],
    screens: ['Students', 'Roll'],
    presets: ['instructor', 'assistant'],
    canLimitToClasses: true,
  },
  notes: {
    group: 'Students',
    allows: 'see private notes',
    needs: ['students.read'],
    screens: ['Students'],
    presets: ['instructor'],
    canLimitToClasses: true,
  },
  'belts.grade': {
    group: 'Belts',
    allows: 'check skills and record test results',
    needs: ['students.read'],
    screens: ['Belts', 'Belt tests'],
    presets: ['instructor', 'assistant'],
    canLimitToClasses: true,
  },
  'belts.promote': {
    group: 'Belts',
    allows: 'plan belt tests and promote students',
    needs: ['students.read', 'belts.grade'],
    screens: ['Belts', 'Belt tests', 'Certificates'],
    presets: ['instructor'],
    canLimitToClasses: false,
  },
  'texts.read': {
    group: 'Texts',
    allows: 'read texts',
    needs: ['students.read', 'students.contact'],
    screens: ['Inbox', 'Sent'],
    presets: ['instructor', 'desk'],
    canLimitToClasses: false,
  },
  'texts.send': {
    group: 'Texts',
    allows: 'send texts',
    needs: ['students.read', 'students.contact', 'texts.read'],
    screens: ['Compose', 'Automatic'],
    presets: ['instructor', 'desk'],
    canLimitToClasses: false,
  },
  'money.take': {
    group: 'Money',
    allows: 'take payments',
    needs: ['students.read'],
    screens: ['This month'],
    presets: ['instructor', 'desk'],
    canLimitToClasses: false,
  },
  'money.see': {
    group: 'Money',
    allows: 'see who owes money, and all figures',
    needs: ['students.read'],
    screens: ['Past due', 'Money'],
    presets: ['instructor', 'bookkeeper'],
    canLimitToClasses: false,
  },
  'money.give_back': {
    group: 'Money',
    allows: 'refund, write off, and undo what others recorded',
    needs: ['students.read', 'money.take', 'money.see'],
    screens: ['Payments'],
    presets: [],
    canLimitToClasses: false,
  },
  export: {
    group: 'School',
    allows: 'download data',
    needs: ['students.read'],
    screens: ['Data'],
    presets: ['bookkeeper'],
    canLimitToClasses: false,
  },
  settings: {
    group: 'School',
    allows: 'change the settings of the school',
    needs: [],
    screens: ['School'],
    presets: [],
    canLimitToClasses: false,
  },
  staff: {
    group: 'School',
    allows: 'manage staff',
    needs: [],
    screens: ['Staff', 'Pay', 'Log'],
    presets: [],
    canLimitToClasses: false,
  },
} as const satisfies Record<string, RightDefinition>

export type Right = keyof typeof RIGHTS
export const ALL_RIGHTS = Object.keys(RIGHTS) as [Right, ...Right[]]

export const rightsOfPreset = (preset: Preset): Right[] =>
  ALL_RIGHTS.filter((right) => (RIGHTS[right].presets as readonly Preset[]).includes(preset))

/** Returns all rights except these and the rights that need one of them. */
export function withoutRights(...removedRights: Right[]): Right[] {
  const isKept = (right: Right): boolean =>
    !removedRights.includes(right) && (RIGHTS[right].needs as readonly Right[]).every(isKept)
  return ALL_RIGHTS.filter(isKept)
}

/** Adds all rights that these rights need. The result is in the order of `RIGHTS`, without
 *  duplicates. */
export function withNeededRights(rights: readonly Right[]): Right[] {
  const neededRights = new Set<string>(rights.flatMap((right) => [right, ...RIGHTS[right].needs]))
  return ALL_RIGHTS.filter((right) => neededRights.has(right))
}

export const refusalWithout = (right: Right): string =>
  `Your login may not ${RIGHTS[right].allows}. Ask the owner.`

/** Replaces a field of a reply, unless the caller has one of the rights. */
type Mask = { rights: readonly Right[]; replace: (value: unknown) => unknown }
const masks = z.registry<Mask>()

export const maskOf = (schema: z.ZodType): Mask | undefined => masks.get(schema)

function withMask<Schema extends z.ZodType>(schema: Schema, mask: Mask): Schema {
  // Masks a copy, because other fields may use the same schema.
  const copy = schema.clone()
  masks.add(copy, mask)
  return copy
}

/** A field of a reply. Staff without any of the rights get `replacement` instead of the value. */
export const hiddenWithout = <Schema extends z.ZodType>(
  rights: Right | readonly Right[],
  schema: Schema,
  replacement: z.output<Schema>,
): Schema =>
  withMask(schema, {
    rights: typeof rights === 'string' ? [rights] : rights,
    replace: () => replacement,
  })

/** Staff with either right may see the amounts that a student pays. */
export const MONEY_RIGHTS = ['money.take', 'money.see'] as const satisfies Right[]

/** A student's name in replies. Staff who may not see students get only the first name. */
export const studentName = (): z.ZodString =>
  withMask(z.string(), {
    rights: ['students.read'],
    replace: (name) => (typeof name === 'string' ? name.split(' ', 1)[0] : name),
  })
