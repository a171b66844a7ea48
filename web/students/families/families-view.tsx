import { Button, Stack, Title } from '@mantine/core'
import { IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import type { FamilySuggestion } from '@tatami/contract/families'
import type { Guardian } from '@tatami/contract/guardians'
import { normalize } from '@tatami/contract/student-search'
import { useState } from 'react'
import { useLayout } from '../../lib/layout-link.tsx'
import { pluralize } from '../../lib/text.ts'
import { useSearchText, useUrlQuery } from '../../lib/url-query.ts'
import { useRetryingQuery } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { BottomActions, PageHeader } from '../../ui/page-header.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Skeletons } from '../../ui/skeletons.tsx'
import { FamilyChanges } from './family-changes.tsx'
import { FamilySuggestions } from './family-suggestions.tsx'
import styles from './families-view.module.css'
import { GuardianCard } from './guardian-card.tsx'
import { familiesQuery } from './use-families.ts'

const GuardianDialog = lazyComponent(() => import('./guardian-dialog.tsx').then((part) => part.GuardianDialog))
const NewGuardianDialog = lazyComponent(() => import('./guardian-dialog.tsx').then((part) => part.NewGuardianDialog))
const FamilyDialog = lazyComponent(() => import('./family-dialog.tsx').then((part) => part.FamilyDialog))

type Opened = { dialog: 'family'; suggestion: FamilySuggestion | null } | { dialog: 'new guardian' }

/** The dojo's guardians with their students, and the students who may be families. */
export function FamiliesView() {
  const families = useRetryingQuery(familiesQuery)
  const [search, setSearch] = useSearchText()
  const [opened, setOpened] = useState<Opened | null>(null)
  // In the address, so that a guardian can be linked to from elsewhere.
  const [query, changeQuery] = useUrlQuery()
  const guardianId = query.get('guardian')
  const openGuardian = (id: string) => {
    setOpened(null)
    changeQuery({ guardian: id })
  }
  const isDesktop = useLayout() === 'desktop'
  const guardians = families.data?.guardians ?? []
  const shown = guardians.filter((guardian) => matches(guardian, search))
  const payers = new Set(families.data?.families.map(({ payer_id }) => payer_id))
  const makeButton = (
    <Button leftSection={<IconUsersGroup size={20} aria-hidden />} onClick={() => setOpened({ dialog: 'family', suggestion: null })}>
      Make a family
    </Button>
  )
  return (
    <Stack gap="lg">
      <PageHeader title="Families" ownTitle subtitle={families.data ? pluralize(guardians.length, 'guardian') : '\u00a0'}>
        <Button
          variant="default"
          leftSection={<IconUserPlus size={20} aria-hidden />}
          onClick={() => setOpened({ dialog: 'new guardian' })}
        >
          New guardian
        </Button>
        {isDesktop && makeButton}
      </PageHeader>
      <FamilyChanges />
      <FamilySuggestions onMake={(suggestion) => setOpened({ dialog: 'family', suggestion })} />
      <section className={styles.guardians} aria-labelledby="guardians">
        <Title order={2} id="guardians">
          Guardians
        </Title>
        {guardians.length > 0 && <SearchBox value={search} onChange={setSearch} placeholder="Find a guardian or student" />}
        {families.isUnavailable && <ErrorNotice onRetry={families.retry}>The families could not be loaded.</ErrorNotice>}
        {families.isPending && <Skeletons count={4} height={120} label="Loading families..." />}
        {families.data && guardians.length === 0 && (
          <EmptyState>
            No families yet. A family has one log-in for several students, one who pays, and gets one text instead of three.
          </EmptyState>
        )}
        {guardians.length > 0 && shown.length === 0 && <EmptyState>Nobody of this name</EmptyState>}
        <ul className={styles.cards}>
          {shown.map((guardian) => (
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
      {guardianId && <GuardianDialog guardianId={guardianId} onClose={() => changeQuery({ guardian: '' })} />}
      {opened?.dialog === 'family' && <FamilyDialog suggestion={opened.suggestion} onClose={() => setOpened(null)} onMade={openGuardian} />}
      {opened?.dialog === 'new guardian' && <NewGuardianDialog studentIds={[]} onClose={() => setOpened(null)} onCreated={openGuardian} />}
    </Stack>
  )
}

/** A part of the name, phone or email of the guardian, or of the name of one of their students; without accents. */
const matches = ({ name, phone, email, students }: Guardian, typed: string) =>
  [name, phone ?? '', email ?? '', ...students.map(({ student_name }) => student_name)].some((words) =>
    normalize(words).includes(normalize(typed.trim())),
  )
