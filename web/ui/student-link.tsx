import { mustExist } from '@tatami/contract/lib/must-exist'
import type { ComponentProps, MouseEvent } from 'react'
import { useCan } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { studentPath } from '../lib/paths.ts'
import styles from './student-link.module.css'

type Props = Omit<ComponentProps<typeof LayoutLink>, 'to'> & {
  id: string
  /** Underlines the link, because it has the same color as the words around it. */
  isInText?: boolean
}

const opensNewTab = ({ button, ctrlKey, metaKey, shiftKey }: MouseEvent) =>
  button !== 0 || ctrlKey || metaKey || shiftKey

export function StudentLink({ id, isInText, className = '', onClick, ...props }: Props) {
  const can = useCan()
  const onLinkClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!opensNewTab(event)) drafts.storeOpenForms()
    onClick?.(event)
  }
  if (!can('students.read')) return <span className={className}>{props.children}</span>
  return (
    <LayoutLink
      {...props}
      to={studentPath(id)}
      className={`${styles.link} ${className}`}
      data-in-text={isInText}
      onClick={onLinkClick}
    />
  )
}

/** "Leo Diaz and Mia Diaz" in a sentence; "Leo Diaz, Mia Diaz" in a label */
const LIST_FORMATS = {
  sentence: new Intl.ListFormat('en'),
  label: new Intl.ListFormat('en', { type: 'unit' }),
}

type LinksProps = {
  students: readonly { student_id: string; name: string }[]
  as: keyof typeof LIST_FORMATS
}

// `formatToParts` alternates between names and separators, so the first name has the index 0, and
// the second has the index 2.
export const StudentLinks = ({ students, as }: LinksProps) =>
  LIST_FORMATS[as].formatToParts(students.map(({ name }) => name)).map(({ type, value }, index) =>
    type === 'element' ? (
      <StudentLink
        key={index}
        id={mustExist(students[index / 2], 'The student').student_id}
        isInText
      >
        {value}
      </StudentLink>
    ) : (
      value
    ),
  )
