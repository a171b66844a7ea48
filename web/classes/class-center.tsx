import { ActionIcon, Button, Stack, Title } from '@mantine/core'
import {
  IconCalendarWeek,
  IconClock,
  IconPencil,
  IconPlus,
  IconPointFilled,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import {
  classesApi,
  classMatches,
  daysText,
  type DojoClass,
  timeRange,
} from '@tatami/contract/classes/classes'
import { type RefObject, useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { classSchedulePath } from '../lib/paths.ts'
import { useLinkedDialog } from '../lib/linked-dialog.ts'
import { pluralize } from '../lib/text.ts'
import { useSearchText } from '../lib/url-query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader, BottomActions } from '../ui/page-header.tsx'
import { SearchBox, useFocusFallback } from '../ui/search-box.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './class-center.module.css'
import type { SavePlaces } from './class-form.tsx'
import { useDeleteClass } from './use-delete-class.ts'
import kit from '../ui/kit.module.css'

const AddClassDialog = lazyComponent(() => import('./add-class-dialog.tsx'), 'AddClassDialog')

export function ClassCenter({ savePlaces }: { savePlaces: SavePlaces }) {
  const [dialog, openDialog, closeDialog] = useLinkedDialog(['add'], () =>
    drafts.subjectOf('add-class') === undefined ? null : 'add',
  )
  const openAddDialog = () => openDialog('add')
  const addButton = (
    <Button
      leftSection={<IconPlus size={20} aria-hidden />}
      onClick={openAddDialog}
      {...AddClassDialog.preloadOnHover}
    >
      Add New Class
    </Button>
  )
  return (
    <Stack gap="lg">
      <PageHeader title="Class Center" subtitle="Manage classes and schedules">
        {useLayout() === 'desktop' && addButton}
      </PageHeader>
      <ClassManagement onAdd={openAddDialog} savePlaces={savePlaces} />
      <BottomActions>{addButton}</BottomActions>
      {dialog && <AddClassDialog savePlaces={savePlaces} onClose={closeDialog} />}
    </Stack>
  )
}

const EditClassDialog = lazyComponent(() => import('./edit-class-dialog.tsx'), 'EditClassDialog')

type ManagementHeaderProps = {
  headingRef: RefObject<HTMLHeadingElement | null>
  matchCount: number
  classCount: number
}

const ManagementHeader = ({ headingRef, matchCount, classCount }: ManagementHeaderProps) => (
  <div className={kit.spread}>
    <Title
      order={2}
      id="class-management"
      ref={headingRef}
      tabIndex={-1}
      className={styles.heading}
    >
      Class Management
    </Title>
    <span role="status" className={kit.note}>
      {matchCount < classCount && `${matchCount} of `}
      {classCount > 0 && pluralize(classCount, 'class', 'classes')}
    </span>
  </div>
)

/** A list that fails to load stays empty (specification, section 8). */
function ClassManagement({ onAdd, savePlaces }: { onAdd: () => void; savePlaces: SavePlaces }) {
  const query = useRetryingQuery(endpointQuery(classesApi.list))
  const { data: classes = [], isPending, isUnavailable, retry } = query
  const [search, setSearch] = useSearchText()
  const [editedId, setEditedId] = useState(() => drafts.subjectOf('edit-class'))
  const heading = useFocusFallback(classes.length)
  const editedClass = classes.find(({ id }) => id === editedId)
  const matchingClasses = classes.filter((dojoClass) => classMatches(dojoClass, search))
  const clearSearch = () => {
    setSearch('')
    heading.current?.focus()
  }
  return (
    <section
      className={`${kit.stack} ${styles.panel}`}
      data-layout={useLayout()}
      aria-labelledby="class-management"
    >
      <ManagementHeader
        headingRef={heading}
        matchCount={matchingClasses.length}
        classCount={classes.length}
      />
      <div className={styles.search}>
        <SearchBox
          value={search}
          onChange={setSearch}
          placeholder="Search by name, description or location"
        />
      </div>
      {isPending && <ClassesLoading />}
      {!isPending && classes.length === 0 && (
        <EmptyClasses
          buttonLabel={isUnavailable ? 'Try again' : 'Add your first class'}
          onClick={isUnavailable ? retry : onAdd}
        >
          No classes found. Add your first class to get started!
        </EmptyClasses>
      )}
      {classes.length > 0 && matchingClasses.length === 0 && (
        <EmptyClasses buttonLabel="Clear search" onClick={clearSearch}>
          No classes found matching your search.
        </EmptyClasses>
      )}
      {matchingClasses.length > 0 && <ClassGrid classes={matchingClasses} onEdit={setEditedId} />}
      {editedClass && (
        <EditClassDialog
          dojoClass={editedClass}
          savePlaces={savePlaces}
          onClose={() => setEditedId(undefined)}
        />
      )}
    </section>
  )
}

type GridProps = { classes: readonly DojoClass[]; onEdit: (id: string) => void }

const ClassGrid = ({ classes, onEdit }: GridProps) => (
  <ul className={`${kit.stack} ${styles.grid}`}>
    {classes.map((dojoClass) => (
      <li key={dojoClass.id}>
        <ClassCard dojoClass={dojoClass} onEdit={() => onEdit(dojoClass.id)} />
      </li>
    ))}
  </ul>
)

type EmptyProps = { buttonLabel: string; onClick: () => void; children: string }

const EmptyClasses = ({ buttonLabel, onClick, children }: EmptyProps) => (
  <EmptyState
    action={
      <Button variant="default" onClick={onClick}>
        {buttonLabel}
      </Button>
    }
  >
    {children}
  </EmptyState>
)

const CARD_HEIGHT = '14.5rem'

const ClassesLoading = () => (
  <div role="status" className={`${kit.stack} ${styles.grid}`}>
    <SkeletonBlock height={CARD_HEIGHT}>Loading classes...</SkeletonBlock>
    <SkeletonBlock height={CARD_HEIGHT} />
    <SkeletonBlock height={CARD_HEIGHT} />
  </div>
)

type ClassCardProps = { dojoClass: DojoClass; onEdit: () => void }

function ClassCard({ dojoClass, onEdit }: ClassCardProps) {
  const { class_name, description, created_at } = dojoClass
  return (
    <article className={`${kit.card} ${styles.card}`}>
      <div className={`${kit.line} ${styles.cardHead}`}>
        <Title order={3} className={styles.name}>
          {class_name}
        </Title>
        <span className={`${kit.inline} ${kit.green} ${styles.activeBadge}`}>
          <IconPointFilled size={12} aria-hidden />
          Active
        </span>
      </div>
      {description && <p className={`${kit.muted} ${styles.description}`}>{description}</p>}
      <ul className={`${kit.lines} ${styles.facts}`}>
        <li>
          <IconClock size={16} aria-hidden />
          {timeRange(dojoClass)}
        </li>
        <li>
          <IconCalendarWeek size={16} aria-hidden />
          {daysText(dojoClass)}
        </li>
        {dojoClass.places !== null && (
          <li>
            <IconUsers size={16} aria-hidden />
            {pluralize(dojoClass.places, 'place')}
          </li>
        )}
      </ul>
      <div className={`${kit.spread} ${styles.cardFoot}`}>
        <span className={kit.note}>Created {formatInstantDate(created_at)}</span>
        <CardActions dojoClass={dojoClass} onEdit={onEdit} />
      </div>
    </article>
  )
}

function CardActions({ dojoClass, onEdit }: ClassCardProps) {
  const { id, class_name } = dojoClass
  const deletion = useConfirmedDeletion(dojoClass)
  return (
    <span className={styles.actions}>
      <ActionIcon
        component={LayoutLink}
        to={classSchedulePath(id)}
        variant="subtle"
        size="lg"
        aria-label={`Dates of ${class_name}`}
      >
        <IconCalendarWeek size={20} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={`Edit ${class_name}`}
        onClick={onEdit}
        {...EditClassDialog.preloadOnHover}
      >
        <IconPencil size={20} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Delete ${class_name}`}
        loading={deletion.isPending}
        onClick={deletion.confirmAndDelete}
      >
        <IconTrash size={20} />
      </ActionIcon>
    </span>
  )
}

/** The specification (section 8) requires the browser's own confirmation and alert. */
function useConfirmedDeletion({ id }: DojoClass) {
  const remove = useDeleteClass({
    onError: () => alertFailure('Failed to delete class. Please try again.'),
  })
  const confirmAndDelete = () => {
    if (window.confirm('Are you sure you want to delete this class?'))
      remove.mutate({ params: { id } })
  }
  return { confirmAndDelete, isPending: remove.isPending }
}
