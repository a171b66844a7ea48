/** Moves the clock of the server by CLOCK_OFFSET_MS. Node loads this file before the server. */
import { moveClock } from '../server/lib/clock.ts'

moveClock(Number(process.env.CLOCK_OFFSET_MS))
