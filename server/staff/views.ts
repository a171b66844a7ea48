import { mustExist } from '@tatami/contract/lib/must-exist'
import { PRESETS, type Preset, rightsOfPreset } from '@tatami/contract/rights'
import type { StaffViewForm } from '@tatami/contract/staff/staff'
import { eq } from 'drizzle-orm'
import { publishAccountChange } from '../accounts/sessions.ts'
import { findFamilyRole, findStaffScope, toPreviewScope } from '../accounts/staff-caller.ts'
import { type RightsPreview, sessions } from '../accounts/tables.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { loadUser } from '../profile/profile.ts'
import { requireClassesOfDojo } from './grant-rules.ts'
import { readStaffPerson } from './staff-list.ts'

/** During a preview, the caller has the rights of somebody else, so this checks the real ones. */
async function requireRealOwner(tx: Tx, caller: DojoCaller): Promise<void> {
  const { scope } = await findStaffScope(tx, caller)
  if (!scope?.isOwner) throw new Refusal(403, 'Only an owner can do this.')
}

export async function startPreview(tx: Tx, caller: DojoCaller, form: StaffViewForm) {
  await requireRealOwner(tx, caller)
  return setPreview(tx, caller, await findPreview(tx, caller.dojoId, form))
}

async function findPreview(
  tx: Tx,
  dojoId: string,
  { person_id, preset, class_ids = null }: StaffViewForm,
): Promise<RightsPreview> {
  if (person_id === undefined) {
    await requireClassesOfDojo(tx, class_ids)
    return toPresetPreview(mustExist(preset, 'The preset'), class_ids)
  }
  const person = await readStaffPerson(tx, dojoId, person_id)
  if (person.ended_at !== null) throw new Refusal(409, 'They no longer work here')
  if (person.is_owner) throw new Refusal(409, 'Owners see everything, just like you')
  return { name: person.name, rights: person.rights, class_ids: person.class_ids }
}

const toPresetPreview = (preset: Preset, class_ids: string[] | null): RightsPreview => ({
  name: PRESETS[preset].name,
  rights: rightsOfPreset(preset),
  class_ids,
})

export async function endPreview(tx: Tx, caller: DojoCaller) {
  return setPreview(tx, caller, null)
}

async function setPreview(tx: Tx, caller: DojoCaller, seen_as: RightsPreview | null) {
  await tx.update(sessions).set({ seen_as }).where(isSessionOf(caller))
  await publishAccountChange(tx, caller.id)
  const { scope } = await findStaffScope(tx, caller)
  return {
    user: await loadUser(tx, { ...caller, staff: seen_as ? toPreviewScope(seen_as) : scope }),
  }
}

const isSessionOf = ({ sessionId }: DojoCaller) => eq(sessions.token_hash, sessionId)

/** Staff who also train or have children switch to what their family sees, and back. */
export async function switchView(tx: Tx, caller: DojoCaller, isFamily: boolean) {
  const { scope } = await findStaffScope(tx, caller)
  const familyRole = await findFamilyRole(tx, caller.id)
  if (!scope || !familyRole)
    throw new Refusal(409, 'Only staff who train here or have children here can switch views.')
  await tx
    .update(sessions)
    .set({ is_in_family_view: isFamily, seen_as: null })
    .where(isSessionOf(caller))
  await publishAccountChange(tx, caller.id)
  const view = isFamily
    ? ({ role: familyRole, staff: null } as const)
    : ({ role: 'instructor', staff: scope } as const)
  return { user: await loadUser(tx, { ...caller, ...view }) }
}
