/** Loaded before a server (`NODE_OPTIONS=--import …`): its clock is ahead, so that a day's
 *  reminders are due while they are tried. */
import { moveClock } from '../../server/lib/clock.ts'

moveClock(Number(process.env.CLOCK_AHEAD_MS ?? 0))
