import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import styles from './birthday-calendar.module.css'

export const MonthSwitch = ({ title, onTurn }: { title: string; onTurn: (months: number) => void }) => (
  <div className={styles.month}>
    <ActionIcon variant="subtle" color="gray" size={44} aria-label="Previous month" onClick={() => onTurn(-1)}>
      <IconChevronLeft size={20} />
    </ActionIcon>
    <span className={styles.name} aria-live="polite">
      {title}
    </span>
    <ActionIcon variant="subtle" color="gray" size={44} aria-label="Next month" onClick={() => onTurn(1)}>
      <IconChevronRight size={20} />
    </ActionIcon>
  </div>
)
