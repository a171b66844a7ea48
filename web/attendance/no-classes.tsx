import { Button, Paper } from '@mantine/core'
import { ShellLink } from '../lib/shell.tsx'
import classes from './no-classes.module.css'

export const NoClasses = () => (
  <Paper className={classes.none}>
    <p className={classes.words}>No classes available. Create classes first to mark attendance.</p>
    <Button component={ShellLink} to="/class-center" variant="default">
      Class Center
    </Button>
  </Paper>
)
