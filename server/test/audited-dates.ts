import type { AuditedCall } from './audited-payments.ts'
import type { Ids } from './sample-ids.ts'

/** The sample dojo has an added class date on this day. */
const DAY = '2015-03-01'

export const auditedDates = (
  runSql: (ids: Ids, statement: string) => Promise<unknown>,
): Record<string, AuditedCall> => {
  const classDate = ({ class_id }: Ids) => ({ class_id, day: DAY })
  return {
    'POST /class-dates': {
      action: 'class date added',
      prepare: (ids) => ({
        body: { ...classDate(ids), day: '2027-03-01', start_time: '4:00 PM', end_time: '5:00 PM' },
      }),
    },
    'DELETE /class-dates': {
      action: 'class date removed',
      prepare: (ids) => ({ query: classDate(ids) }),
    },
    'PUT /class-dates/cancelled': {
      action: 'class date cancelled',
      prepare: (ids) => ({ body: { ...classDate(ids), reason: 'Weather' } }),
    },
    'DELETE /class-dates/cancelled': {
      action: 'class date restored',
      prepare: async (ids) => {
        await runSql(ids, 'update class_dates set is_cancelled = true')
        return { query: classDate(ids) }
      },
    },
    'PUT /class-dates/moved': {
      action: 'class date moved',
      prepare: (ids) => ({ body: { ...classDate(ids), to_day: '2015-03-02' } }),
    },
    'DELETE /class-dates/moved': {
      action: 'class date moved back',
      prepare: async (ids) => {
        await runSql(ids, `update class_dates set is_added = false, held_on = '2015-03-02'`)
        return { query: { ...classDate(ids), day: '2015-03-02' } }
      },
    },
    'PUT /class-dates/substitute': {
      action: 'substitute set',
      prepare: (ids) => ({ body: classDate(ids) }),
    },
    'PUT /classes/:id/places': { action: 'class places set' },
    'POST /holidays': { action: 'holiday added' },
    'PUT /holidays/:id': { action: 'holiday changed' },
    'DELETE /holidays/:id': { action: 'holiday removed' },
    'POST /calendar-feed': { action: 'calendar address made' },
    'DELETE /calendar-feed': {
      action: 'calendar address ended',
      prepare: async (ids) => {
        await runSql(
          ids,
          'insert into calendar_feeds (account_id, token_hash, created_at) values ' +
            `('${ids.instructor_id}', 'x', now())`,
        )
        return {}
      },
    },
  }
}
