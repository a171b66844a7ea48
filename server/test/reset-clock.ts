/** Runs before every test file. Test files share the server's modules (vitest.config.ts), so an
 *  earlier file may have moved the clock. */
import { moveClock, now } from '../lib/clock.ts'

moveClock(Date.now() - now().getTime())
