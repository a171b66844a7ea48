/** Loaded before a server (`NODE_OPTIONS=--import …`) to set its clock ahead, so that reminders are
 *  due during the failover test. */
import { moveClock } from '../../server/lib/clock.ts'

moveClock(Number(process.env.CLOCK_AHEAD_MS ?? 0))
