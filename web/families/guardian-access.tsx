import { firstName } from '@tatami/contract/lib/name-parts'
import { Stack, Title } from '@mantine/core'
import { familiesApi } from '@tatami/contract/families/families'
import type { Agreement, OwnGuardian } from '@tatami/contract/families/family-home'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { useState } from 'react'
import { errorMessage, progressProps } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { Panel } from '../ui/panel.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import styles from './guardian-access.module.css'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'

/** Lets students who turn 18 decide which guardians may still see their page. */
export function GuardianAccess() {
  const guardians = useRetryingQuery(endpointQuery(familiesApi.myGuardians))
  const { data } = guardians
  const adultOn = data?.adult_on
  if (data && (!adultOn || data.guardians.length === 0)) return null
  return (
    <Panel title="Who sees my page">
      <Loading query={guardians} error="Your guardians could not be loaded.">
        <SkeletonBlock height="14rem">Loading...</SkeletonBlock>
      </Loading>
      {data && adultOn && (
        <Stack gap="md">
          <p>{data.is_adult ? describeAdulthood(adultOn) : announceAdulthood(adultOn)}</p>
          {data.guardians.map((guardian) => (
            <Guardian key={guardian.id} guardian={guardian} isAdult={data.is_adult} />
          ))}
        </Stack>
      )}
    </Panel>
  )
}

const announceAdulthood = (day: string) =>
  `You turn ${ADULT_AGE} on ${formatDate(day)}. After that, your guardians see your page only ` +
  'if you allow it here. Nothing changes before that, and you can change your mind.'
const describeAdulthood = (day: string) =>
  `You turned ${ADULT_AGE} on ${formatDate(day)}, so your page is yours. If you hide it from a ` +
  'guardian, only your instructor can undo that.'

type Right = 'sees' | 'sees_fees' | 'may_edit'
type RightLabels = { right: Right; label: string; labelBeforeBirthday: string; description: string }
const RIGHTS: RightLabels[] = [
  {
    right: 'sees',
    label: 'Sees my page',
    labelBeforeBirthday: 'Can still see my page',
    description: 'Classes, attendance, belt and announcements',
  },
  {
    right: 'sees_fees',
    label: 'Sees what is paid and owed',
    labelBeforeBirthday: 'Can still see what is paid and owed',
    description: 'The monthly fee and whether it is paid',
  },
  {
    right: 'may_edit',
    label: 'Changes my contacts',
    labelBeforeBirthday: 'Can still change my contacts',
    description: 'Phone number and emergency contact',
  },
]

/** Returns the rights that a guardian has as soon as the student is 18. */
function findAdultRights(guardian: OwnGuardian, isAdult: boolean): Record<Right, boolean> {
  const { sees, sees_fees, may_edit, is_agreed, agrees_to_fees, agrees_to_edit } = guardian
  if (isAdult) return { sees, sees_fees, may_edit }
  return {
    sees: is_agreed,
    sees_fees: is_agreed && agrees_to_fees,
    may_edit: is_agreed && agrees_to_edit,
  }
}
const toAgreement = ({ sees, sees_fees, may_edit }: Record<Right, boolean>): Agreement => ({
  is_agreed: sees,
  agrees_to_fees: sees && sees_fees,
  agrees_to_edit: sees && may_edit,
})

type SentAgreement = { is_agreed: boolean; agrees_to_fees?: unknown; agrees_to_edit?: unknown }
const toRights = ({ is_agreed, agrees_to_fees, agrees_to_edit }: SentAgreement) => ({
  sees: is_agreed,
  sees_fees: is_agreed && agrees_to_fees === true,
  may_edit: is_agreed && agrees_to_edit === true,
})

function Guardian({ guardian, isAdult }: { guardian: OwnGuardian; isAdult: boolean }) {
  const { id, name, relation, sees, pays } = guardian
  const [endingRight, setEndingRight] = useState<Right | null>(null)
  const save = useEndpointMutation(familiesApi.agree, {
    scope: { id: `agreement with ${id}` },
    refreshes: [familiesApi.myGuardians],
    waitsForRefresh: true,
    onSuccess: () => setEndingRight(null),
  })
  const rights = save.isPending ? toRights(save.variables.body) : findAdultRights(guardian, isAdult)
  const guardianName = firstName(name)
  const change = (right: Right, isOn: boolean) =>
    save.mutate({ params: { id }, body: toAgreement({ ...rights, [right]: isOn }) })
  // An adult student cannot restore a right, so removing one needs a confirmation.
  const requestChange = (right: Right, isOn: boolean) =>
    isAdult ? setEndingRight(right) : change(right, isOn)
  const visibleRights = RIGHTS.filter(
    ({ right }) => guardian[right] && (right === 'sees' || rights.sees),
  )
  const error = save.isError && endingRight === null && errorMessage(save.error, SAVE_FAILED)
  return (
    <section className={`${kit.stackTight} ${kit.divided}`} aria-label={name}>
      <Title order={3} size="h4">
        {name}
        {relation !== 'other' && <span className={styles.relation}> {relation}</span>}
      </Title>
      {!sees && (
        <p>
          {guardianName} does not see your page.{isAdult && ' Your instructor can change that.'}
        </p>
      )}
      {sees &&
        visibleRights.map(({ right, label, labelBeforeBirthday, description }) => (
          <SwitchRow
            key={right}
            label={isAdult ? label : labelBeforeBirthday}
            description={description}
            checked={rights[right]}
            error={error}
            onChange={(isOn) => requestChange(right, isOn)}
          />
        ))}
      {pays && (
        <p className={styles.note}>
          {guardianName} pays your fees. To change that, talk to your instructor.
        </p>
      )}
      {endingRight && (
        <EndRightDialog
          right={endingRight}
          name={guardianName}
          onClose={() => setEndingRight(null)}
          onConfirm={() => change(endingRight, false)}
          {...progressProps(save, SAVE_FAILED)}
        />
      )}
    </section>
  )
}

const SAVE_FAILED = 'This could not be saved. Please try again.'

const LOSS_TEXTS: Record<Right, string> = {
  sees: 'will no longer see your classes, attendance, belt, fees and announcements.',
  sees_fees: 'will no longer see what is paid and owed.',
  may_edit: 'will no longer be able to change your phone number and emergency contact.',
}

type EndRightProps = {
  right: Right
  name: string
  onClose: () => void
  onConfirm: () => void
} & ReturnType<typeof progressProps>

const EndRightDialog = ({ right, name, ...dialogProps }: EndRightProps) => (
  <ConfirmDialog
    opened
    title={
      right === 'sees' ? `Hide your page from ${name}?` : `Remove this permission from ${name}?`
    }
    confirmLabel={right === 'sees' ? 'Hide' : 'Remove'}
    busyLabel="Saving..."
    danger
    {...dialogProps}
  >
    {name} {LOSS_TEXTS[right]} Only your instructor can undo this.
  </ConfirmDialog>
)
