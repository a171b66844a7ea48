import type { Right } from '@tatami/contract/rights'
import { useCan } from '../lib/current-user.ts'
import { Sheet } from '../ui/sheet.tsx'
import { FIND_SHORTCUT } from './find-button.tsx'
import styles from './shortcuts-sheet.module.css'
import kit from '../ui/kit.module.css'

type Shortcut = { keys: string[]; action: string; right?: Right }

const GENERAL_SHORTCUTS: Shortcut[] = [
  { keys: ['?'], action: 'Show these shortcuts' },
  { keys: ['Esc'], action: 'Close a dialog' },
]
const STAFF_SHORTCUTS: Shortcut[] = [
  { keys: [FIND_SHORTCUT.label], action: 'Find a student, class or screen' },
  { keys: ['/'], action: 'Search the list on this screen' },
  { keys: ['↑', '↓'], action: 'Go to the next row of a list' },
  {
    keys: ['P'],
    action: 'Mark a student present on the roll, and go on to the next',
    right: 'roll',
  },
  {
    keys: ['A'],
    action: 'Mark a student absent on the roll, and go on to the next',
    right: 'roll',
  },
  {
    keys: ['P', '↓'],
    action: 'Right after P or A, ↓ stays on the next student',
    right: 'roll',
  },
  {
    keys: ['←', '→', '↑', '↓'],
    action: 'Go to another day in the calendar',
    right: 'students.read',
  },
]

export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const can = useCan()
  const shortcuts = [
    ...STAFF_SHORTCUTS.filter(({ right }) => can(right ?? 'any')),
    ...GENERAL_SHORTCUTS,
  ]
  return (
    <Sheet opened onClose={onClose} title="Keyboard shortcuts" size="small">
      <dl className={styles.keys}>
        {shortcuts.map(({ keys, action }) => (
          <div key={action}>
            <dt className={kit.wrap}>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}
