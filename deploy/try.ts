/** Tests the files in this folder with the programs that read them, and Tatami behind Caddy in a
 *  browser: node deploy/try.ts. Needs the Debian packages caddy, prometheus, logrotate, systemd and
 *  chromium. Uses the local port TRY_PORT and the next two. Exits with 1 if a check fails. */
import { cleanUp } from './try-harness.ts'
import { tryRotation, tryRules, tryUnit } from './try-programs.ts'
import { tryHeaders } from './try-proxy.ts'
import { tryTatami } from './try-tatami.ts'

try {
  tryUnit()
  tryRules()
  await tryRotation()
  await tryHeaders()
  await tryTatami()
} finally {
  await cleanUp()
}
