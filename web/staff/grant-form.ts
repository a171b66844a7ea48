import type { StaffGrantForm } from '@tatami/contract/staff/staff-grants'
import {
  ALL_RIGHTS,
  type Preset,
  PRESETS,
  type Right,
  RIGHTS,
  rightsOfPreset,
} from '@tatami/contract/rights'

/** What the form contains while a person edits a grant. An empty date is ''. `class_ids` keeps the
 *  chosen classes while `isLimitedToClasses` is off, in case it is turned on again. */
export type StaffGrantValues = {
  title: string
  preset: Preset | null
  rights: Right[]
  isLimitedToClasses: boolean
  class_ids: string[]
  starts_on: string
  ends_on: string
}

type StoredGrant = {
  title: string | null
  preset: Preset | null
  rights: Right[]
  class_ids: string[] | null
  starts_on: string | null
  ends_on: string | null
}

const DEFAULT_PRESET: Preset = 'assistant'

export const newFormValues = (): StaffGrantValues => ({
  ...valuesOfPreset(DEFAULT_PRESET),
  title: '',
  class_ids: [],
  starts_on: '',
  ends_on: '',
})

/** Only helpers start out limited to their own classes. */
export const valuesOfPreset = (preset: Preset) => ({
  preset,
  rights: rightsOfPreset(preset),
  isLimitedToClasses: preset === 'helper',
})

export const toFormValues = (grant: StoredGrant): StaffGrantValues => ({
  title: grant.title ?? '',
  preset: grant.preset,
  rights: grant.rights,
  isLimitedToClasses: grant.class_ids !== null,
  class_ids: grant.class_ids ?? [],
  starts_on: grant.starts_on ?? '',
  ends_on: grant.ends_on ?? '',
})

export const toRequestBody = ({
  isLimitedToClasses,
  class_ids,
  starts_on,
  ends_on,
  ...grant
}: StaffGrantValues): StaffGrantForm => ({
  ...grant,
  class_ids: isLimitedToClasses ? class_ids : null,
  starts_on: starts_on || null,
  ends_on: ends_on || null,
})

/** Finds the rights that are useless without this one. */
const findDependentRights = (right: Right): Right[] =>
  ALL_RIGHTS.filter((candidate) => (RIGHTS[candidate].needs as readonly Right[]).includes(right))

/** Turns a right on along with the rights it needs, or off along with the rights that need it. */
export function switchRight(rights: readonly Right[], right: Right, isOn: boolean): Right[] {
  const changedRights: Right[] = isOn
    ? [right, ...RIGHTS[right].needs]
    : [right, ...findDependentRights(right)]
  const otherRights = rights.filter((heldRight) => !changedRights.includes(heldRight))
  return isOn ? [...otherRights, ...changedRights] : otherRights
}

export const describePreset = ({
  preset,
  rights,
}: Pick<StoredGrant, 'preset' | 'rights'>): string =>
  preset === null ? `${rights.length} of ${ALL_RIGHTS.length} permissions` : PRESETS[preset].name
