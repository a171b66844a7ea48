import { Button, Paper } from '@mantine/core'
import { WithRight } from '../ui/with-right.tsx'
import { LayoutLink } from '../lib/layout-link.tsx'
import styles from './no-classes.module.css'
import kit from '../ui/kit.module.css'

export const NoClasses = () => (
  <Paper className={`${kit.row} ${styles.notice}`}>
    <p className={styles.text}>No classes available. Create classes first to mark attendance.</p>
    <WithRight right="schedule">
      <Button component={LayoutLink} to="/class-center" variant="default">
        Class Center
      </Button>
    </WithRight>
  </Paper>
)
