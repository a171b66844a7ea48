import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type FamilyForm, familiesApi } from '@tatami/contract/families/families'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { RetryNotice } from '../ui/notices.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './family-dialog.module.css'

/** The preview loads when the user stops typing for this long. */
const TYPING_PAUSE_MS = 300

type Props = {
  request: FamilyForm
  closedLoginNames: string[]
}

export function FamilyPreview({ request, closedLoginNames }: Props) {
  const [debouncedRequest] = useDebouncedValue(request, TYPING_PAUSE_MS)
  const { data, isError, refetch } = useQuery({
    ...endpointQuery(familiesApi.preview, { body: debouncedRequest }),
    placeholderData: keepPreviousData,
  })
  if (isError)
    return (
      <RetryNotice onRetry={() => void refetch()}>
        We couldn’t load the preview. You can still create the family.
      </RetryNotice>
    )
  if (!data) return null
  return (
    <div role="status">
      <table className={styles.preview}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Item</VisuallyHidden>
            </th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Texts per message to everyone</th>
            <td>{pluralize(data.before.texts, 'text')}</td>
            <td>{pluralize(data.after.texts, 'text')}</td>
          </tr>
          <tr>
            <th scope="row">Logins</th>
            <td>{data.before.log_ins}</td>
            <td>{data.after.log_ins}</td>
          </tr>
        </tbody>
      </table>
      {closedLoginNames.length > 0 && (
        <Text mt="sm">{describeClosedLogins(closedLoginNames, data.closes_at_once)}</Text>
      )}
    </div>
  )
}

function describeClosedLogins(names: string[], closesNow: boolean): string {
  const nameList = new Intl.ListFormat('en').format(names)
  const subject =
    names.length === 1 ? `The login of ${nameList} ends` : `The logins of ${nameList} end`
  return closesNow
    ? `${subject} right away, because the guardian has already logged in.`
    : `${subject} when the guardian logs in for the first time.`
}
