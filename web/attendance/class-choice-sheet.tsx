import { IconChevronRight } from '@tabler/icons-react'
import { daysText, timeRange } from '@tatami/contract/classes/classes'
import { withoutLineBreaks } from '../lib/dates.ts'
import { NoClasses } from './no-classes.tsx'
import { Presence } from './presence.tsx'
import type { TodaysMark } from './use-mark-today.ts'
import { Sheet } from '../ui/sheet.tsx'
import styles from './class-choice-sheet.module.css'
import kit from '../ui/kit.module.css'

type Props = { choices: TodaysMark[]; onChoose: (mark: TodaysMark) => void; onClose: () => void }

/** Choosing a class in which the student is already present removes the mark. */
export const ClassChoiceSheet = ({ choices, onChoose, onClose }: Props) => (
  <Sheet opened onClose={onClose} title="Present in which class?" size="small">
    {choices.length === 0 ? (
      <NoClasses />
    ) : (
      <ul>
        {choices.map(({ dojoClass, present }) => (
          <li key={dojoClass.id}>
            <button
              type="button"
              className={`${kit.bareButton} ${styles.choice}`}
              onClick={() => onChoose({ dojoClass, present: present ? null : true })}
            >
              <span className={styles.text}>
                <span className={styles.name}>{dojoClass.class_name}</span>
                <span className={kit.note}>
                  {daysText(dojoClass)}, {withoutLineBreaks(timeRange(dojoClass))}
                </span>
              </span>
              {present === null ? (
                <IconChevronRight size={20} aria-hidden />
              ) : (
                <Presence present={present} />
              )}
            </button>
          </li>
        ))}
      </ul>
    )}
  </Sheet>
)
