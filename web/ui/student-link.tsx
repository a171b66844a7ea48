import type { ComponentProps, MouseEvent } from 'react'
import { useCurrentUser } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { studentPath } from '../lib/paths.ts'
import styles from './student-link.module.css'

type Props = Omit<ComponentProps<typeof LayoutLink>, 'to'> & { id: string }

/** Whether the browser opens the link in another tab or window, and this page stays. */
const opensElsewhere = ({ button, ctrlKey, metaKey, shiftKey }: MouseEvent) =>
  button !== 0 || ctrlKey || metaKey || shiftKey

/**
 * A student's name, which leads an instructor to their page: `<StudentLink id={id}>{name}</StudentLink>`. Nobody else has that page. What is
 * typed beside it is there again after Back.
 */
export function StudentLink({ id, className = '', onClick, ...props }: Props) {
  const { is_instructor } = useCurrentUser()
  const leave = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!opensElsewhere(event)) drafts.keep()
    onClick?.(event)
  }
  if (!is_instructor) return <span className={className}>{props.children}</span>
  return (
    <LayoutLink
      {...props}
      to={studentPath(id)}
      className={`${styles.link} ${className}`}
      onClick={leave}
    />
  )
}

const LISTS = {
  sentence: new Intl.ListFormat('en'),
  label: new Intl.ListFormat('en', { type: 'unit' }),
}

type LinksProps = {
  students: readonly { student_id: string; name: string }[]
  as: keyof typeof LISTS
}

/** Several names, each a link: in a sentence "Leo Diaz and Mia Diaz", as a label "Leo Diaz, Mia Diaz". */
export const StudentLinks = ({ students, as }: LinksProps) =>
  LISTS[as].formatToParts(students.map(({ name }) => name)).map(({ type, value }, part) =>
    // Every second part is a name.
    type === 'element' ? (
      <StudentLink key={part} id={students[part / 2]!.student_id}>
        {value}
      </StudentLink>
    ) : (
      value
    ),
  )
