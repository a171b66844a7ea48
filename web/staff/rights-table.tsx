import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import {
  ALL_RIGHTS,
  PRESET_NAMES,
  PRESETS,
  type Preset,
  RIGHT_GROUPS,
  RIGHTS,
} from '@tatami/contract/rights'
import { capitalize } from '../lib/text.ts'
import { Sheet } from '../ui/sheet.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './rights-table.module.css'
import { useStaffView } from './use-staff-view.ts'
import kit from '../ui/kit.module.css'

const COLUMNS = ['Owner', ...PRESET_NAMES.map((preset) => PRESETS[preset].name)]

/** What each preset may do, and on which screens. */
export function RightsTable({ onClose }: { onClose: () => void }) {
  const { look, isPending } = useStaffView()
  return (
    <Sheet opened onClose={onClose} title="What each may do" size="large">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It may scroll. */}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Table of rights">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">May</th>
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          {RIGHT_GROUPS.map((group) => (
            <tbody key={group}>
              <tr>
                <th scope="rowgroup" colSpan={COLUMNS.length + 1}>
                  {group}
                </th>
              </tr>
              {ALL_RIGHTS.filter((right) => RIGHTS[right].group === group).map((right) => (
                <tr key={right}>
                  <th scope="row">
                    {capitalize(RIGHTS[right].allows)}
                    <span className={kit.note}>{RIGHTS[right].screens.join(', ')}</span>
                  </th>
                  <Cell isAllowed />
                  {PRESET_NAMES.map((preset) => (
                    <Cell
                      key={preset}
                      isAllowed={(RIGHTS[right].presets as readonly Preset[]).includes(preset)}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <p className={kit.note}>Helpers see first names only, and only their own classes.</p>
      <div className={kit.wrap}>
        {PRESET_NAMES.map((preset) => (
          <Button
            key={preset}
            variant="subtle"
            disabled={isPending}
            onClick={() => look({ preset })}
          >
            See the school as {PRESETS[preset].name.toLowerCase()}
          </Button>
        ))}
      </div>
    </Sheet>
  )
}

const Cell = ({ isAllowed }: { isAllowed: boolean }) => (
  <td>
    {isAllowed ? <IconCheck size={20} aria-hidden /> : <span aria-hidden>–</span>}
    <VisuallyHidden>{isAllowed ? 'yes' : 'no'}</VisuallyHidden>
  </td>
)
