import { Button, Title } from '@mantine/core'
import { classesApi, classMatches } from '@tatami/contract/classes'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { useSearchText } from '../lib/use-search-text.ts'
import { endpointQuery } from '../lib/query.ts'
import { useRecoveringQuery } from '../lib/use-recovering-query.ts'
import { useShell } from '../lib/shell.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { ClassCard } from './class-card.tsx'
import styles from './class-management.module.css'
import { ClassesLoading } from './classes-loading.tsx'
import { useFocusKept } from '../ui/use-focus-kept.ts'

const EditClassDialog = lazyPart(() => import('./edit-class-dialog.tsx').then((part) => part.EditClassDialog))

const counted = (shown: number, all: number) => `${shown < all ? `${shown} of ` : ''}${all} ${all === 1 ? 'class' : 'classes'}`

/** The panel with the search and the cards. A list that cannot be loaded stays empty (specification, section 8). */
export function ClassManagement({ onAdd }: { onAdd: () => void }) {
  const { data: classes = [], isPending, isMissing, retry } = useRecoveringQuery(endpointQuery(classesApi.list))
  const [typed, setTyped] = useSearchText()
  const [editedId, setEditedId] = useState(() => drafts.subjectOf('edit-class'))
  const heading = useFocusKept(classes.length)
  const edited = classes.find(({ id }) => id === editedId)
  const found = classes.filter((c) => classMatches(c, typed))
  const clear = () => {
    setTyped('')
    heading.current?.focus()
  }
  return (
    <section className={styles.panel} data-shell={useShell()} aria-labelledby="class-management">
      <div className={styles.head}>
        <Title order={2} id="class-management" ref={heading} tabIndex={-1} className={styles.heading}>
          Class Management
        </Title>
        <span role="status" className={styles.count}>
          {classes.length > 0 && counted(found.length, classes.length)}
        </span>
      </div>
      <div className={styles.search}>
        <SearchBox value={typed} onChange={setTyped} placeholder="Search by name, description or location" />
      </div>
      {isPending && <ClassesLoading />}
      {!isPending && classes.length === 0 && (
        <EmptyState
          action={
            <Button variant="default" onClick={isMissing ? retry : onAdd}>
              {isMissing ? 'Try again' : 'Add your first class'}
            </Button>
          }
        >
          No classes found. Add your first class to get started!
        </EmptyState>
      )}
      {classes.length > 0 && found.length === 0 && (
        <EmptyState
          action={
            <Button variant="default" onClick={clear}>
              Clear search
            </Button>
          }
        >
          No classes found matching your search.
        </EmptyState>
      )}
      {found.length > 0 && (
        <ul className={styles.grid}>
          {found.map((c) => (
            <li key={c.id}>
              <ClassCard dojoClass={c} onEdit={() => setEditedId(c.id)} onNearEdit={EditClassDialog.preload} />
            </li>
          ))}
        </ul>
      )}
      {edited && <EditClassDialog dojoClass={edited} onClose={() => setEditedId(undefined)} />}
    </section>
  )
}
