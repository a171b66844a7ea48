import { useQuery } from '@tanstack/react-query'
import { notificationsApi, type NotificationSettings } from '@tatami/contract/notifications'
import { endpointQuery } from '../lib/query.ts'

export const settingsQuery = endpointQuery(notificationsApi.settings)

const ALL_ON: NotificationSettings = { sound_enabled: true, vibration_enabled: true, push_enabled: true }

/** Instructors have no settings of their own: for them all are on (specification, section 6). Undefined while they are not known. */
export function useSettings(isInstructor: boolean): NotificationSettings | undefined {
  const { data } = useQuery({ ...settingsQuery, enabled: !isInstructor })
  return isInstructor ? ALL_ON : data
}
