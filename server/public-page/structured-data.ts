import { findEndMinutes, parseMinutes } from '@tatami/contract/classes/classes'
import type { ClassDate } from '@tatami/contract/calendar/timetable'
import { toInstant } from '../calendar/feeds/instants.ts'
import type { VisiblePage } from './find-page.ts'

/** What search engines read about the school and its classes (schema.org). */
export function structuredData(
  { page, school, city, timeZone }: VisiblePage,
  dates: readonly ClassDate[],
  url: string,
): object {
  const location = {
    '@type': 'SportsActivityLocation',
    '@id': `${url}#school`,
    name: school.name,
    url,
    ...(page.about !== null && { description: page.about }),
    ...(page.phone !== null && { telephone: page.phone }),
    address: {
      '@type': 'PostalAddress',
      ...(page.address !== null && { streetAddress: page.address }),
      ...(city !== null && { addressLocality: city }),
    },
  }
  const events = dates.flatMap((date) => {
    const start = parseMinutes(date.start_time)
    if (start === null) return []
    const end = findEndMinutes(start, parseMinutes(date.end_time))
    return [
      {
        '@type': 'Event',
        name: `${date.class_name}, ${school.name}`,
        startDate: toInstant(date.day, start, timeZone).toISOString(),
        ...(end !== null && { endDate: toInstant(date.day, end, timeZone).toISOString() }),
        eventStatus: `https://schema.org/${date.status === 'on' ? 'EventScheduled' : 'EventCancelled'}`,
        eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
        location: { '@id': `${url}#school` },
      },
    ]
  })
  return { '@context': 'https://schema.org', '@graph': [location, ...events] }
}
