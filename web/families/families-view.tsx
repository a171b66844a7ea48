import { Button, Stack, Title } from '@mantine/core'
import { IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import type { FamilySuggestion } from '@tatami/contract/families/families'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { useRenderedCount } from '../lib/rendered-count.ts'
import { pluralize } from '../lib/text.ts'
import { useSearchText } from '../lib/url-query.ts'
import { useRetryingQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyPart } from '../ui/lazy-component.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { FamilyChanges } from './family-changes.tsx'
import { FAMILY_DRAFT, guardianOfDraft, NEW_GUARDIAN_DRAFT } from './family-drafts.ts'
import { FamilySuggestions } from './family-suggestions.tsx'
import styles from './families-view.module.css'
import { GuardianCard } from './guardian-card.tsx'
import { guardianMatches } from './guardian-search.ts'
import { changesQuery, familiesQuery, suggestionsQuery } from './use-families.ts'
import kit from '../ui/kit.module.css'

const GuardianDialog = lazyPart(() => import('./guardian-dialog.tsx'), 'GuardianDialog')
const NewGuardianDialog = lazyPart(() => import('./guardian-dialog.tsx'), 'NewGuardianDialog')
const FamilyDialog = lazyPart(() => import('./family-dialog.tsx'), 'FamilyDialog')

type OpenDialog =
  | { dialog: 'family'; suggestion: FamilySuggestion | null }
  | { dialog: 'new guardian' }
  | { dialog: 'guardian'; id: string }

/** The dialog in which something was typed and not saved. */
function openedByDraft(): OpenDialog | null {
  const guardian = guardianOfDraft()
  if (guardian) return { dialog: 'guardian', id: guardian }
  if (drafts.subjectOf(NEW_GUARDIAN_DRAFT) !== undefined) return { dialog: 'new guardian' }
  return drafts.subjectOf(FAMILY_DRAFT) === undefined
    ? null
    : { dialog: 'family', suggestion: null }
}

/** The dojo's guardians with their students, and the students who may be families. */
export function FamiliesView() {
  const families = useRetryingQuery(familiesQuery)
  const late = [useRetryingQuery(changesQuery), useRetryingQuery(suggestionsQuery)]
  // All come at once, so that nothing is pushed away under a finger.
  const isPending = [families, ...late].some((query) => query.isPending)
  const retryLate = () => late.forEach((query) => query.isUnavailable && query.retry())
  const retryAll = () => {
    families.retry()
    retryLate()
  }
  const [search, setSearch] = useSearchText()
  const [openDialog, setOpened] = useState<OpenDialog | null>(openedByDraft)
  const close = () => setOpened(null)
  const openGuardian = (id: string) => setOpened({ dialog: 'guardian', id })
  const isDesktop = useLayout() === 'desktop'
  const guardians = families.data?.guardians ?? []
  const visibleGuardians = guardians.filter((guardian) => guardianMatches(guardian, search))
  const renderedCount = useRenderedCount('cards')
  const payers = new Set(families.data?.families.map(({ payer_id }) => payer_id))
  const makeButton = (
    <Button
      leftSection={<IconUsersGroup size={20} aria-hidden />}
      onClick={() => setOpened({ dialog: 'family', suggestion: null })}
    >
      Make a family
    </Button>
  )
  return (
    <Stack gap="lg">
      <PageHeader
        title="Families"
        ownTitle
        subtitle={families.data ? pluralize(guardians.length, 'guardian') : '\u00a0'}
      >
        <Button
          variant="default"
          leftSection={<IconUserPlus size={20} aria-hidden />}
          onClick={() => setOpened({ dialog: 'new guardian' })}
        >
          New guardian
        </Button>
        {isDesktop && makeButton}
      </PageHeader>
      {!isPending && (
        <>
          {!families.isUnavailable && late.some((query) => query.isUnavailable) && (
            <RetryNotice onRetry={retryLate}>
              Who may be a family, and what can be undone, could not be loaded.
            </RetryNotice>
          )}
          <FamilyChanges />
          <FamilySuggestions onMake={(suggestion) => setOpened({ dialog: 'family', suggestion })} />
        </>
      )}
      <section className={kit.stackSmall} aria-labelledby="guardians">
        <Title order={2} id="guardians">
          Guardians
        </Title>
        {!isPending && guardians.length > 0 && (
          <SearchBox value={search} onChange={setSearch} placeholder="Find a guardian or student" />
        )}
        {families.isUnavailable && (
          <ErrorNotice onRetry={retryAll}>The families could not be loaded.</ErrorNotice>
        )}
        {isPending && <Skeletons count={4} height={120} label="Loading families..." />}
        {!isPending && families.data && guardians.length === 0 && (
          <EmptyState>
            No families yet. A family has one log-in for several students, one who pays, and gets
            one text instead of three.
          </EmptyState>
        )}
        {!isPending && guardians.length > 0 && visibleGuardians.length === 0 && (
          <EmptyState>Nobody of this name</EmptyState>
        )}
        <ul className={`${kit.cards} ${styles.cards}`}>
          {(isPending ? [] : visibleGuardians.slice(0, renderedCount)).map((guardian) => (
            <li key={guardian.id}>
              <GuardianCard
                guardian={guardian}
                isPayer={payers.has(guardian.id)}
                onOpen={() => openGuardian(guardian.id)}
                onIntent={GuardianDialog.preload}
              />
            </li>
          ))}
        </ul>
      </section>
      <BottomActions>{makeButton}</BottomActions>
      {openDialog?.dialog === 'guardian' && (
        <GuardianDialog guardianId={openDialog.id} onClose={close} />
      )}
      {openDialog?.dialog === 'family' && (
        <FamilyDialog suggestion={openDialog.suggestion} onClose={close} onMade={openGuardian} />
      )}
      {openDialog?.dialog === 'new guardian' && (
        <NewGuardianDialog studentIds={[]} onClose={close} onCreated={openGuardian} />
      )}
    </Stack>
  )
}
