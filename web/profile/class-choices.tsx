import { Checkbox } from '@mantine/core'
import { daysText, timeRange } from '@tatami/contract/classes/classes'
import type { InvitationDetails } from '@tatami/contract/profile/join'
import { withoutLineBreaks } from '../lib/dates.ts'
import styles from './join-page.module.css'

type Props = { classes: InvitationDetails['classes'] }

export const ClassChoices = ({ classes, ...field }: Props) => (
  <Checkbox.Group
    {...field}
    label="Classes"
    size="md"
    inputWrapperOrder={['label', 'error', 'input']}
    tabIndex={-1}
  >
    <div className={styles.classes}>
      {classes.map((dojoClass) => (
        <Checkbox
          key={dojoClass.id}
          value={dojoClass.id}
          label={dojoClass.class_name}
          description={`${daysText(dojoClass)}, ${withoutLineBreaks(timeRange(dojoClass))}`}
        />
      ))}
    </div>
  </Checkbox.Group>
)
