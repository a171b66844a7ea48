import { Checkbox } from '@mantine/core'
import { classesApi } from '@tatami/contract/classes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { classOptions } from '../classes/class-options.ts'
import { endpointQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './class-boxes.module.css'

const ALL = 'all'

type Props = {
  /** Whether a class must be chosen; else none means all students. */
  required: boolean
  value?: string[]
  onChange?: (chosen: string[]) => void
  error?: ReactNode
  'data-path'?: string
}

export function ClassBoxes({ required, value: chosen = [], onChange, error, 'data-path': path }: Props) {
  const { data: classes, isError, refetch } = useQuery(endpointQuery(classesApi.list))
  const value = required || chosen.length > 0 ? chosen : [ALL]
  const choose = (ticked: string[]) => onChange?.(chosen.length > 0 && ticked.includes(ALL) ? [] : ticked.filter((id) => id !== ALL))
  return (
    <Checkbox.Group
      label="Classes"
      size="md"
      required={required}
      value={value}
      onChange={choose}
      error={error}
      data-path={path}
      tabIndex={-1}
      inputWrapperOrder={['label', 'error', 'input']}
      className={styles.group}
    >
      <div className={styles.boxes}>
        {!required && <Checkbox size="md" value={ALL} label="All Students" />}
        {classOptions(classes ?? []).map((one) => (
          <Checkbox key={one.value} size="md" value={one.value} label={one.label} />
        ))}
      </div>
      {!classes && !isError && <Skeletons count={2} height={28} label="" />}
      {!classes && isError && (
        <ErrorNotice onRetry={() => void refetch()}>
          Your classes could not be loaded.{!required && ' You can still send to all students.'}
        </ErrorNotice>
      )}
      {required && classes?.length === 0 && (
        <p className={styles.none}>A special message goes to classes, and you have none yet. Create one in the Class Center.</p>
      )}
    </Checkbox.Group>
  )
}
