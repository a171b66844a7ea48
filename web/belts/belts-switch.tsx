import { schoolBeltTestName } from '../lib/belt-test.ts'
import { PATHS } from '../lib/paths.ts'
import { LinkSwitch } from '../ui/link-switch.tsx'

/** Switches between the screens of the tab "Belts". */
export const BeltsSwitch = () => (
  <LinkSwitch
    label="Belts"
    links={[
      { label: 'Ready', to: PATHS.readyForTest },
      { label: schoolBeltTestName().capitalizedPlural, to: PATHS.gradings },
    ]}
  />
)
