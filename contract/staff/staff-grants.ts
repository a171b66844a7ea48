import { z } from 'zod'
import {
  calendarDate,
  clearable,
  email,
  emptyAsUndefined,
  oneOf,
  singleLineText,
  unrestrictedName,
  uuid,
} from '../lib/fields.ts'
import { ALL_RIGHTS, PRESET_NAMES, type Right, RIGHTS, withNeededRights } from '../rights.ts'

/** Students of this age or older can help, if a guardian agrees. */
export const HELPER_AGE = 14
/** What helpers under 18 may do. They see no contacts, texts, money or health notes. */
export const HELPER_RIGHTS = [
  'roll',
  'kiosk',
  'students.read',
  'belts.grade',
] as const satisfies Right[]
const MAX_CLASSES = 100

/** A grant says what a member of staff may see and do, and from which day until which day. */
export const staffGrant = z.object({
  /** What the school calls the person: "Head coach". */
  title: z.string().nullable(),
  /** Null if somebody changed single rights, so that they no longer match a preset. */
  preset: z.enum(PRESET_NAMES).nullable(),
  rights: z.array(z.enum(ALL_RIGHTS)),
  /** The only classes that the person sees. Null means all. */
  class_ids: z.array(z.uuid()).nullable(),
  starts_on: z.string().nullable(),
  ends_on: z.string().nullable(),
})

/** Finds a right that cannot be limited to some classes. */
export const findWholeSchoolRight = (rights: readonly Right[]): Right | undefined =>
  rights.find((right) => !RIGHTS[right].canLimitToClasses)

export const refusalForOwnClasses = (right: Right): string =>
  `Staff with only their own classes can’t ${RIGHTS[right].allows}`

const grantFields = {
  title: clearable(singleLineText('Title', 60)),
  preset: oneOf('Preset', PRESET_NAMES).nullish(),
  /** Rights that other rights depend on are added automatically. */
  rights: z
    .array(oneOf('Right', ALL_RIGHTS), 'Rights must be a list')
    .max(ALL_RIGHTS.length, 'Each permission can be listed only once')
    .overwrite(withNeededRights),
  class_ids: z
    .array(uuid('Class'), 'Classes must be a list')
    .min(1, 'Choose at least one class')
    .max(MAX_CLASSES, `At most ${MAX_CLASSES} classes`)
    .nullish(),
  starts_on: clearable(calendarDate('First day')),
  ends_on: clearable(calendarDate('Last day')),
}

type GrantInput = z.output<z.ZodObject<typeof grantFields>>
const canLimitClasses = ({ rights, class_ids }: GrantInput) =>
  !class_ids || findWholeSchoolRight(rights) === undefined
const areDaysInOrder = ({ starts_on, ends_on }: GrantInput) =>
  !starts_on || !ends_on || starts_on <= ends_on
const DAYS_OUT_OF_ORDER = {
  error: 'The last day must not be before the first',
  path: ['ends_on'],
}

const withGrantRules = <Schema extends z.ZodType<GrantInput>>(schema: Schema): Schema =>
  schema
    .refine(canLimitClasses, {
      error: ({ input }) => {
        const right = findWholeSchoolRight((input as GrantInput).rights)
        return right && refusalForOwnClasses(right)
      },
      path: ['rights'],
    })
    .refine(areDaysInOrder, DAYS_OUT_OF_ORDER)

export const staffGrantForm = withGrantRules(z.object(grantFields))
export type StaffGrantForm = z.output<typeof staffGrantForm>

export const staffInvitationForm = withGrantRules(
  z.object({
    ...grantFields,
    name: unrestrictedName('Name'),
    /** Without an email, the first person to open the link can accept the invitation. */
    email: clearable(email()),
    /** A student who joins the staff and keeps the same page and login. */
    student_id: emptyAsUndefined(uuid('Student')),
    /** The guardian who agreed that a student under 18 may help. */
    guardian_id: emptyAsUndefined(uuid('Guardian')),
  }),
)
export type StaffInvitationForm = z.output<typeof staffInvitationForm>

export const staffInvitation = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  ...staffGrant.shape,
  student_id: z.uuid().nullable(),
  /** The name of the person who invited them. Null if that person was deleted. */
  invited_by: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  is_expired: z.boolean(),
})
export type StaffInvitation = z.output<typeof staffInvitation>
