/** Tests the files here with the programs that read them: node deploy/try.ts. Needs the Debian
 *  packages caddy, prometheus, logrotate, systemd and chromium. Uses TRY_PORT and the next two. */
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
