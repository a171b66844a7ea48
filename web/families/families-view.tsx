import { Button, Stack, Title } from '@mantine/core'
import { IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { familiesApi, type FamilySuggestion } from '@tatami/contract/families/families'
import type { Guardian } from '@tatami/contract/guardians/guardians'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { type ReactNode, useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'
import { useCan } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { useRenderedCount } from '../lib/rendered-count.ts'
import { pluralize } from '../lib/text.ts'
import { useSearchText } from '../lib/url-query.ts'
import { useRetryingQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { FamilyChanges } from './family-changes.tsx'
import { FAMILY_DRAFT, findDraftGuardianId, NEW_GUARDIAN_DRAFT } from './family-drafts.ts'
import { FamilySuggestions } from './family-suggestions.tsx'
import styles from './families-view.module.css'
import { GuardianCard } from './guardian-card.tsx'
import { guardianMatches } from './guardian-search.ts'
import { familiesQuery } from './use-families.ts'
import kit from '../ui/kit.module.css'

const GuardianDialog = lazyComponent(() => import('./guardian-dialog.tsx'), 'GuardianDialog')
const NewGuardianDialog = lazyComponent(() => import('./guardian-dialog.tsx'), 'NewGuardianDialog')
const FamilyDialog = lazyComponent(() => import('./family-dialog.tsx'), 'FamilyDialog')

type Families = Reply<typeof familiesApi.list>
type OpenDialog =
  | { dialog: 'family'; suggestion: FamilySuggestion | null }
  | { dialog: 'new guardian' }
  | { dialog: 'guardian'; id: string }

function findDraftDialog(): OpenDialog | null {
  const guardianId = findDraftGuardianId()
  if (guardianId) return { dialog: 'guardian', id: guardianId }
  if (drafts.subjectOf(NEW_GUARDIAN_DRAFT) !== undefined) return { dialog: 'new guardian' }
  return drafts.subjectOf(FAMILY_DRAFT) === undefined
    ? null
    : { dialog: 'family', suggestion: null }
}

export function FamiliesView() {
  const families = useRetryingQuery(familiesQuery)
  const can = useCan()
  // Only for people who may edit families.
  const editorQueries = [
    useAllowedQuery(familiesApi.changes),
    useAllowedQuery(familiesApi.suggestions),
  ]
  const isPending = [families, ...editorQueries].some((query) => query.isPending)
  const retrySuggestions = () =>
    editorQueries.forEach((query) => query.isUnavailable && query.retry())
  const retryAll = () => {
    families.retry()
    retrySuggestions()
  }
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(findDraftDialog)
  const openGuardian = (id: string) => setOpenDialog({ dialog: 'guardian', id })
  const openFamilyDialog = (suggestion: FamilySuggestion | null) =>
    setOpenDialog({ dialog: 'family', suggestion })
  const createFamilyButton = can('students.edit') && (
    <CreateFamilyButton onClick={() => openFamilyDialog(null)} />
  )
  const hasMissingSuggestions =
    !families.isUnavailable && editorQueries.some((query) => query.isUnavailable)
  return (
    <Stack gap="lg">
      <Header
        families={families.data}
        createFamilyButton={createFamilyButton}
        onNewGuardian={() => setOpenDialog({ dialog: 'new guardian' })}
      />
      {isPending ? (
        <Skeletons count={4} height={120} label="Loading families..." />
      ) : (
        <>
          {hasMissingSuggestions && (
            <RetryNotice onRetry={retrySuggestions}>
              Suggestions and recent families could not be loaded.
            </RetryNotice>
          )}
          <WithRight right="students.edit">
            <FamilyChanges />
            <FamilySuggestions onCreate={openFamilyDialog} />
          </WithRight>
          <section className={kit.stackSmall} aria-labelledby="guardians">
            <Title order={2} id="guardians">
              Guardians
            </Title>
            {families.isUnavailable && (
              <RetryNotice onRetry={retryAll}>The families could not be loaded.</RetryNotice>
            )}
            {families.data && <GuardianList families={families.data} onOpen={openGuardian} />}
          </section>
        </>
      )}
      {createFamilyButton && <BottomActions>{createFamilyButton}</BottomActions>}
      {openDialog && (
        <Dialog
          openDialog={openDialog}
          onClose={() => setOpenDialog(null)}
          onOpenGuardian={openGuardian}
        />
      )}
    </Stack>
  )
}

const CreateFamilyButton = ({ onClick }: { onClick: () => void }) => (
  <Button leftSection={<IconUsersGroup size={20} aria-hidden />} onClick={onClick}>
    Create a family
  </Button>
)

type HeaderProps = {
  families: Families | undefined
  createFamilyButton: ReactNode
  onNewGuardian: () => void
}

function Header({ families, createFamilyButton, onNewGuardian }: HeaderProps) {
  const isDesktop = useLayout() === 'desktop'
  return (
    <PageHeader
      title="Families"
      subtitle={
        families ? pluralize(families.guardians.filter(isCurrent).length, 'guardian') : '\u00a0'
      }
    >
      <WithRight right="students.edit">
        <Button
          variant="default"
          leftSection={<IconUserPlus size={20} aria-hidden />}
          onClick={onNewGuardian}
        >
          New guardian
        </Button>
      </WithRight>
      {isDesktop && createFamilyButton}
    </PageHeader>
  )
}

type ListProps = { families: Families; onOpen: (guardianId: string) => void }

/** False if all students of a guardian have left. Such guardians are on the students' pages. */
const isCurrent = ({ students, has_former_students }: Guardian) =>
  students.length > 0 || !has_former_students

function GuardianList({ families: { guardians }, onOpen }: ListProps) {
  const [search, setSearch] = useSearchText()
  const renderedCount = useRenderedCount('cards')
  const currentGuardians = guardians.filter(isCurrent)
  const visibleGuardians = currentGuardians.filter((guardian) => guardianMatches(guardian, search))
  if (currentGuardians.length === 0)
    return (
      <EmptyState>
        No families yet. A family has one login for several students and one person who pays, and
        gets one text instead of three.
      </EmptyState>
    )
  return (
    <>
      <div className={styles.search}>
        <SearchBox value={search} onChange={setSearch} placeholder="Find a guardian or student" />
      </div>
      {visibleGuardians.length === 0 && <EmptyState>No results</EmptyState>}
      <ul className={`${kit.cards} ${styles.cards}`}>
        {visibleGuardians.slice(0, renderedCount).map((guardian) => (
          <li key={guardian.id}>
            <GuardianCard
              guardian={guardian}
              onOpen={() => onOpen(guardian.id)}
              onPreload={GuardianDialog.preload}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

type DialogProps = {
  openDialog: OpenDialog
  onClose: () => void
  onOpenGuardian: (id: string) => void
}

function Dialog({ openDialog, onClose, onOpenGuardian }: DialogProps) {
  if (openDialog.dialog === 'guardian')
    return <GuardianDialog guardianId={openDialog.id} onClose={onClose} />
  if (openDialog.dialog === 'family')
    return (
      <FamilyDialog
        suggestion={openDialog.suggestion}
        onClose={onClose}
        onCreated={onOpenGuardian}
      />
    )
  return <NewGuardianDialog studentIds={[]} onClose={onClose} onCreated={onOpenGuardian} />
}
