/** Runs before every test file: they share the server's modules (vitest.config.ts), and some move
 *  its clock. */
import { moveClock, now } from '../lib/clock.ts'

moveClock(Date.now() - now().getTime())
