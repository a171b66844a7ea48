import { firstName } from '@tatami/contract/lib/name-parts'
import { Paper, Stack, Title } from '@mantine/core'
import { familiesApi } from '@tatami/contract/families/families'
import type {
  Agreement,
  GuardianOfMine,
  GuardiansOfMine,
} from '@tatami/contract/families/family-home'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { useState } from 'react'
import { errorMessage, progressOf } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import styles from './who-sees-my-page.module.css'
import kit from '../ui/kit.module.css'
import { Loading } from '../ui/loading.tsx'

/** A student who comes of age says who goes on seeing their page; an adult takes it back. Nothing for those who have no guardian. */
export function WhoSeesMyPage() {
  const guardians = useRetryingQuery(endpointQuery(familiesApi.myGuardians))
  const { data } = guardians
  if (data && (data.adult_on === null || data.guardians.length === 0)) return null
  return (
    <Paper component="section" aria-labelledby="who-sees-my-page">
      <Title order={2} id="who-sees-my-page">
        Who sees my page
      </Title>
      <Loading of={guardians} failed="Your guardians could not be loaded.">
        <SkeletonBlock height="14rem">Loading...</SkeletonBlock>
      </Loading>
      {data && (
        <Stack gap="md" mt="sm">
          <p>{data.is_adult ? adultWords(data) : minorWords(data)}</p>
          {data.guardians.map((guardian) => (
            <Guardian key={guardian.id} guardian={guardian} isAdult={data.is_adult} />
          ))}
        </Stack>
      )}
    </Paper>
  )
}

const minorWords = ({ adult_on }: GuardiansOfMine) =>
  `You turn ${ADULT_AGE} on ${formatDate(adult_on!)}. From that day on your page is yours alone, and your guardians see it only if you agree here. Until then nothing changes, and you can change your mind.`
const adultWords = ({ adult_on }: GuardiansOfMine) =>
  `Your page has been yours since ${formatDate(adult_on!)}, when you turned ${ADULT_AGE}. Whom you take it from sees it no longer at once, and only your instructor can give it back.`

type Right = 'sees' | 'sees_fees' | 'may_edit'
const RIGHTS: { right: Right; label: string; description: string }[] = [
  {
    right: 'sees',
    label: 'Sees my page',
    description: 'Classes, attendance, belt and announcements',
  },
  {
    right: 'sees_fees',
    label: 'Sees what is paid and owed',
    description: 'The monthly fee and whether it is paid',
  },
  {
    right: 'may_edit',
    label: 'Changes my contacts',
    description: 'Phone number and emergency contact',
  },
]

/** What holds from the 18th birthday on: what is agreed before it, what the guardian still has after it. */
const rightsOf = (guardian: GuardianOfMine, isAdult: boolean): Record<Right, boolean> => {
  const { sees, sees_fees, may_edit, is_agreed, agrees_to_fees, agrees_to_edit } = guardian
  return isAdult
    ? { sees, sees_fees, may_edit }
    : {
        sees: is_agreed,
        sees_fees: is_agreed && agrees_to_fees,
        may_edit: is_agreed && agrees_to_edit,
      }
}
const agreementFor = ({ sees, sees_fees, may_edit }: Record<Right, boolean>): Agreement => ({
  is_agreed: sees,
  agrees_to_fees: sees && sees_fees,
  agrees_to_edit: sees && may_edit,
})

type SentAgreement = { is_agreed: boolean; agrees_to_fees?: unknown; agrees_to_edit?: unknown }
const rightsIn = ({ is_agreed, agrees_to_fees, agrees_to_edit }: SentAgreement) => ({
  sees: is_agreed,
  sees_fees: is_agreed && agrees_to_fees === true,
  may_edit: is_agreed && agrees_to_edit === true,
})

function Guardian({ guardian, isAdult }: { guardian: GuardianOfMine; isAdult: boolean }) {
  const { id, name, relation, sees, pays } = guardian
  const [ending, setEnding] = useState<Right | null>(null)
  const save = useEndpointMutation(familiesApi.agree, {
    scope: { id: `agreement with ${id}` },
    refreshes: [familiesApi.myGuardians],
    waitsForRefresh: true,
    onSuccess: () => setEnding(null),
  })
  const rights = save.isPending ? rightsIn(save.variables.body) : rightsOf(guardian, isAdult)
  const first = firstName(name)
  const change = (right: Right, isOn: boolean) =>
    save.mutate({ params: { id }, body: agreementFor({ ...rights, [right]: isOn }) })
  // What an adult ends does not come back by itself.
  const press = (right: Right, isOn: boolean) => (isAdult ? setEnding(right) : change(right, isOn))
  // What a guardian does not have there is nothing to say of, and nothing goes beyond the page without it.
  const visibleRights = RIGHTS.filter(
    ({ right }) => guardian[right] && (right === 'sees' || rights.sees),
  )
  return (
    <section className={`${kit.stackTight} ${kit.divided}`} aria-label={name}>
      <Title order={3} size="h4">
        {name}
        {relation !== 'other' && <span className={styles.relation}> {relation}</span>}
      </Title>
      {!sees && (
        <p>
          {isAdult
            ? `${first} does not see your page. Your instructor can change that.`
            : `${first} does not see your page.`}
        </p>
      )}
      {sees &&
        visibleRights.map(({ right, label, description }) => (
          <SwitchRow
            key={right}
            label={
              isAdult
                ? label
                : {
                    sees: 'May go on seeing my page',
                    sees_fees: 'May go on seeing what is paid and owed',
                    may_edit: 'May go on changing my contacts',
                  }[right]
            }
            description={description}
            checked={rights[right]}
            error={
              save.isError &&
              ending === null &&
              errorMessage(save.error, 'This could not be saved.')
            }
            onChange={(isOn) => press(right, isOn)}
          />
        ))}
      {pays && (
        <p className={styles.note}>
          {first} pays your fees, and goes on paying until you or they agree otherwise with your
          instructor.
        </p>
      )}
      {ending && (
        <ConfirmDialog
          opened
          onClose={() => setEnding(null)}
          onConfirm={() => change(ending, false)}
          title={ending === 'sees' ? `Take your page from ${first}?` : `Take this from ${first}?`}
          confirm="Take it back"
          busyLabel="Saving..."
          danger
          {...progressOf(save, 'This could not be saved.')}
        >
          {LOSS_WORDS[ending].replace('{name}', first)} It ends at once. Only your instructor can
          give it back.
        </ConfirmDialog>
      )}
    </section>
  )
}

const LOSS_WORDS: Record<Right, string> = {
  sees: '{name} no longer sees your classes, attendance, belt, fees and announcements.',
  sees_fees: '{name} no longer sees what is paid and owed.',
  may_edit: '{name} no longer changes your phone number and emergency contact.',
}
