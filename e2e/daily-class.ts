import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import type { Dojo } from './dojo.ts'

/** Creates a class with this number of places per date. It takes place every day until midnight, so
 *  that today's class is never over. */
export async function createDailyClass(dojo: Dojo, places: number | null = null) {
  const dojoClass = await dojo.createClass({
    class_days: [...WEEKDAYS],
    class_start_time: '9:00 PM',
    class_end_time: '10:00 PM',
  })
  await dojo.inDatabase((tx) =>
    tx.execute(
      sql`update classes set class_end_time = '11:59 PM', places = ${places}
        where id = ${dojoClass.id}`,
    ),
  )
  return dojoClass
}
