import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import {
  ALL_RIGHTS,
  PRESET_NAMES,
  PRESETS,
  type Preset,
  RIGHT_GROUPS,
  type Right,
  RIGHTS,
} from '@tatami/contract/rights'
import { capitalize } from '../lib/text.ts'
import { Sheet } from '../ui/sheet.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './rights-table.module.css'
import { useStaffView } from './use-staff-view.ts'
import kit from '../ui/kit.module.css'

const COLUMNS = ['Owner', ...PRESET_NAMES.map((preset) => PRESETS[preset].name)]

/** The rights of owners and each preset, with buttons to see the school as somebody with a
 *  preset. */
export function RightsTable({ onClose }: { onClose: () => void }) {
  const { startPreview, isPending } = useStaffView()
  return (
    <Sheet opened onClose={onClose} title="Permissions" size="large">
      <table className={styles.table} aria-label="Permissions">
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Permission</VisuallyHidden>
            </th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                <span className={styles.column}>{column}</span>
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
              <RightRow key={right} right={right} />
            ))}
          </tbody>
        ))}
      </table>
      <p className={kit.note}>Helpers see first names only, and only their own classes.</p>
      <div className={kit.wrap}>
        {PRESET_NAMES.map((preset) => (
          <Button
            key={preset}
            variant="subtle"
            disabled={isPending}
            onClick={() => startPreview({ preset })}
          >
            See the school as {PRESETS[preset].name.toLowerCase()}
          </Button>
        ))}
      </div>
    </Sheet>
  )
}

function RightRow({ right }: { right: Right }) {
  const { allows, screens } = RIGHTS[right]
  const presets: readonly Preset[] = RIGHTS[right].presets
  return (
    <tr>
      <th scope="row">
        {capitalize(allows)}
        <span className={`${kit.note} ${styles.screens}`}>{screens.join(', ')}</span>
      </th>
      <Cell isAllowed />
      {PRESET_NAMES.map((preset) => (
        <Cell key={preset} isAllowed={presets.includes(preset)} />
      ))}
    </tr>
  )
}

const Cell = ({ isAllowed }: { isAllowed: boolean }) => (
  <td>
    {isAllowed ? <IconCheck size={20} aria-hidden /> : <span aria-hidden>–</span>}
    <VisuallyHidden>{isAllowed ? 'yes' : 'no'}</VisuallyHidden>
  </td>
)
