import { ActionIcon, Title } from '@mantine/core'
import { IconCalendarWeek, IconClock, IconPencil, IconPointFilled, IconTrash } from '@tabler/icons-react'
import { daysText, timeRange, type DojoClass } from '@tatami/contract/classes'
import { showMomentsDay } from '../lib/dates.ts'
import styles from './class-card.module.css'
import { useCardDeletion } from './use-card-deletion.ts'

type Props = {
  dojoClass: DojoClass
  onEdit: () => void
  /** The finger or the focus is on the edit icon. */
  onNearEdit: () => void
}

export function ClassCard({ dojoClass, onEdit, onNearEdit }: Props) {
  const { class_name, description, created_at } = dojoClass
  const deletion = useCardDeletion(dojoClass)
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <Title order={3} className={styles.name}>
          {class_name}
        </Title>
        <span className={styles.active}>
          <IconPointFilled size={12} aria-hidden />
          Active
        </span>
      </div>
      {description && <p className={styles.description}>{description}</p>}
      <ul className={styles.facts}>
        <li>
          <IconClock size={16} aria-hidden />
          {timeRange(dojoClass)}
        </li>
        <li>
          <IconCalendarWeek size={16} aria-hidden />
          {daysText(dojoClass)}
        </li>
      </ul>
      <div className={styles.foot}>
        <span className={styles.created}>Created {showMomentsDay(created_at)}</span>
        <span className={styles.acts}>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={`Edit ${class_name}`}
            onClick={onEdit}
            onPointerEnter={onNearEdit}
            onFocus={onNearEdit}
          >
            <IconPencil size={20} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={`Delete ${class_name}`}
            loading={deletion.isPending}
            onClick={deletion.ask}
          >
            <IconTrash size={20} />
          </ActionIcon>
        </span>
      </div>
    </article>
  )
}
