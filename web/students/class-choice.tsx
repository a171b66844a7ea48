import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { classesApi, daysText, type DojoClass, timeRange } from '@tatami/contract/classes'
import { FALLBACK_CLASSES } from '@tatami/contract/students'
import type { ComponentProps, ReactNode } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { useRecoveringQuery } from '../lib/use-recovering-query.ts'
import { ShellLink } from '../lib/shell.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import classes from './class-choice.module.css'

const FALLBACK_NAMES = { cedar_park: 'Cedar Park', travisso: 'Travisso', saturday: 'Saturday' } as const

type Props = Omit<ComponentProps<typeof Checkbox.Group>, 'children'> & {
  /** The choice as it was when the form opened. */
  before: string[]
}

/** The classes of the dojo to choose from; when they cannot be loaded, three preferences instead (product.md, section 9). */
export function ClassChoice({ before, ...group }: Props) {
  const { data, isMissing, retry } = useRecoveringQuery(endpointQuery(classesApi.list))
  const fallback = FALLBACK_CLASSES.filter((name) => before.includes(name) || isMissing)
  return (
    <Checkbox.Group
      {...group}
      label="Classes"
      size="md"
      required
      inputWrapperOrder={['label', 'error', 'input']}
      tabIndex={-1}
      className={classes.group}
    >
      <Stack gap="sm">
        {!data && !isMissing && <Skeletons count={3} height={52} label="" />}
        {isMissing && <ErrorNotice onRetry={retry}>Failed to load available classes</ErrorNotice>}
        {data?.length === 0 && <NoClasses />}
        <div className={classes.choices}>
          {data?.map((c) => (
            <Choice key={c.id} id={c.id} name={c.class_name} note={when(c)} />
          ))}
          {fallback.map((name) => (
            <Choice key={name} id={name} name={FALLBACK_NAMES[name]} note="A preference, not yet a class" />
          ))}
        </div>
      </Stack>
    </Checkbox.Group>
  )
}

const when = (c: DojoClass) => (
  <>
    {daysText(c)}, <span className={classes.time}>{timeRange(c)}</span>
  </>
)

const Choice = ({ id, name, note }: { id: string; name: string; note: ReactNode }) => (
  <Checkbox value={id} label={name} description={note} className={classes.choice} />
)

const NoClasses = () => (
  <div className={classes.none}>
    <Text c="dimmed">No classes available. Please create classes in Class Center first.</Text>
    <Button component={ShellLink} to="/class-center" replace variant="default">
      Open Class Center
    </Button>
  </div>
)
