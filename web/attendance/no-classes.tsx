import { Button, Paper } from '@mantine/core'
import { ShellLink } from '../lib/shell.tsx'
import styles from './no-classes.module.css'

export const NoClasses = () => (
  <Paper className={styles.none}>
    <p className={styles.text}>No classes available. Create classes first to mark attendance.</p>
    <Button component={ShellLink} to="/class-center" variant="default">
      Class Center
    </Button>
  </Paper>
)
