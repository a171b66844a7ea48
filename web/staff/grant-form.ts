import type { StaffGrantForm } from '@tatami/contract/staff/staff-grants'
import {
  ALL_RIGHTS,
  type Preset,
  PRESETS,
  type Right,
  RIGHTS,
  rightsOfPreset,
} from '@tatami/contract/rights'

/** The form of a person’s rights. A missing date is ''. The chosen classes stay in `class_ids`
 *  while `hasOwnClasses` is off. */
export type GrantValues = {
  title: string
  preset: Preset | null
  rights: Right[]
  hasOwnClasses: boolean
  class_ids: string[]
  starts_on: string
  ends_on: string
}

type Grant = {
  title: string | null
  preset: Preset | null
  rights: Right[]
  class_ids: string[] | null
  starts_on: string | null
  ends_on: string | null
}

const DEFAULT_PRESET: Preset = 'assistant'

export const newGrant = (): GrantValues => ({
  ...choosePreset(DEFAULT_PRESET),
  title: '',
  class_ids: [],
  starts_on: '',
  ends_on: '',
})

/** Helpers see only their own classes. */
export const choosePreset = (preset: Preset) => ({
  preset,
  rights: rightsOfPreset(preset),
  hasOwnClasses: preset === 'helper',
})

export const toGrantValues = (grant: Grant): GrantValues => ({
  title: grant.title ?? '',
  preset: grant.preset,
  rights: grant.rights,
  hasOwnClasses: grant.class_ids !== null,
  class_ids: grant.class_ids ?? [],
  starts_on: grant.starts_on ?? '',
  ends_on: grant.ends_on ?? '',
})

export const toGrantBody = ({
  hasOwnClasses,
  class_ids,
  starts_on,
  ends_on,
  ...grant
}: GrantValues): StaffGrantForm => ({
  ...grant,
  class_ids: hasOwnClasses ? class_ids : null,
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

export const describePreset = ({ preset, rights }: Pick<Grant, 'preset' | 'rights'>): string =>
  preset === null ? `${rights.length} of ${ALL_RIGHTS.length} rights` : PRESETS[preset].name
